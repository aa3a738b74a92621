import { defineCommand } from '../command.ts';

export const redriveInbound = defineCommand({
  name: 'redrive inbound',
  summary: 'Processes a failed message from a phone once more, by the current keyword rules.',
  arguments: [{ name: 'ID', description: 'The id of the inbound message.' }],
  examples: ['sms redrive inbound 019aa3c1-9a10-7d61-8a55-3f0c7b7d2c11'],
  run: async (context, { args: [id = ''] }) => {
    const { output, signal } = context;
    const organizationId = context.organizationId();
    const message = await context.client().inbound.redriveMessage(id, { organizationId }, { signal });
    output.result(message, () => [`${message.id}  ${message.status}  from ${message.from} to ${message.to}`]);
  },
});
