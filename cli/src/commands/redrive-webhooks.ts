import type { WebhookDelivery } from 'sms-service-client';
import { defineCommand } from '../command.ts';
import { UsageError } from '../errors.ts';
import { countOf } from '../show-message.ts';

export const redriveWebhook = defineCommand({
  name: 'redrive webhook',
  summary: 'Sends dead webhook deliveries again.',
  description: ['The envelope and its id stay the same. Only a dead delivery can be redriven.'],
  arguments: [{ name: 'ID', description: 'The ids of deliveries.', isOptional: true, isRest: true }],
  options: { dead: { type: 'boolean', description: 'Every dead delivery of the organization.' } },
  examples: ['sms redrive webhook 019aa3c1-9a10-7d61-8a55-3f0c7b7d2c11', 'sms redrive webhook --dead'],
  run: async (context, { options, args }) => {
    if (options.dead === args.length > 0) throw new UsageError('Give ids, or --dead.');
    const { output, signal } = context;
    const { webhookDeliveries } = context.client();
    const organizationId = context.organizationId();
    const ids = [...args];
    if (options.dead) {
      // All ids first: what is redriven leaves the list, which would move its pages.
      const list = webhookDeliveries.list({ status: 'dead', limit: 200, organizationId }, { signal });
      for await (const { id } of list) ids.push(id);
    }
    for (const id of ids) {
      const delivery: WebhookDelivery = await webhookDeliveries.redrive(id, { organizationId }, { signal });
      output.event(delivery, () => `${delivery.id}  ${delivery.status}  ${delivery.event}  ${delivery.url}`);
    }
    output.note(`${countOf(ids.length, 'delivery', 'deliveries')} will be sent again.`);
  },
});
