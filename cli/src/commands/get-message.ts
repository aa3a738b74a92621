import type { MessageTimeline } from 'sms-service-client';
import { defineCommand } from '../command.ts';
import { columns } from '../output.ts';
import { describeMessage } from '../show-message.ts';

type Event = MessageTimeline['data'][number];

export const getMessage = defineCommand({
  name: 'messages get',
  summary: 'Shows a message and everything that happened to it.',
  arguments: [{ name: 'ID', description: 'The id of the message.' }],
  examples: ['sms messages get 01a1fc36-be7d-730e-ba01-0e58086613c1'],
  run: async (context, { args: [id = ''] }) => {
    const { output, signal } = context;
    const { messages } = context.client();
    const query = { organizationId: context.organizationId() };
    const message = await messages.get(id, query, { signal });
    const timeline: Event[] = [];
    for await (const event of messages.timeline(id, { ...query, limit: 200 }, { signal }))
      timeline.push(event);
    output.result({ ...message, timeline }, () => [
      ...columns(describeMessage(output, message)),
      '',
      ...columns(timeline.map((event) => [event.at, event.kind, detailsOf(event)])),
    ]);
  },
});

/** What an event says beyond its time and kind. Ids of other resources are in the JSON. */
function detailsOf(event: Event): string {
  const hidden = new Set(['at', 'kind', 'workflowId', 'deliveryId', 'nextAttemptAt']);
  return Object.entries(event)
    .filter(([name, value]) => !hidden.has(name) && value !== null && value !== false)
    .map(([name, value]) => (name === 'status' ? String(value) : `${name}=${String(value)}`))
    .join(' ');
}
