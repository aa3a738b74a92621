import { defineCommand } from '../command.ts';
import { readTime } from '../read-time.ts';
import { paintStatus, shorten } from '../show-message.ts';

/** The statuses of messages, for options. */
export const messageStatuses = ['queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled'] as const;

export const listMessages = defineCommand({
  name: 'messages list',
  summary: 'Lists messages, newest first.',
  description: ['With --json, each message is one line.'],
  options: {
    status: {
      type: 'string',
      value: 'STATUS',
      choices: messageStatuses,
      description: 'Only with this status.',
    },
    to: { type: 'string', value: 'NUMBER', description: 'Only to this number.' },
    from: { type: 'string', value: 'SENDER', description: 'Only from this sender.' },
    since: {
      type: 'string',
      value: 'TIME',
      description: 'Only created since then: ISO 8601, or 30s, 15m, 2h, 3d ago.',
    },
    environment: {
      type: 'string',
      value: 'NAME',
      choices: ['live', 'test'],
      description: 'Only of this environment.',
    },
    limit: { type: 'integer', value: 'COUNT', description: 'How many at most. Default 20.' },
  },
  examples: ['sms messages list --status failed --since 2h'],
  run: async (context, { options }) => {
    const { output, signal } = context;
    const { limit = 20, status, environment, to, from, since } = options;
    const list = context.client().messages.list(
      {
        ...{ to, from, limit: Math.min(limit, 200), organizationId: context.organizationId() },
        status: status as (typeof messageStatuses)[number] | undefined,
        environment: environment as 'live' | 'test' | undefined,
        createdFrom: since === undefined ? undefined : readTime('--since', since),
      },
      { signal },
    );
    let count = 0;
    for await (const message of list) {
      output.event(message, () => {
        const { id, createdAt, errorCode, text } = message;
        const padding = ' '.repeat('delivered'.length - message.status.length);
        const state = `${paintStatus(output, message.status)}${padding}`;
        return `${id}  ${createdAt}  ${state}  ${message.to}  ${shorten(text)}${errorCode === null ? '' : `  (${errorCode})`}`;
      });
      count += 1;
      if (count === limit) break;
    }
    if (count === 0) output.note('There are no such messages.');
  },
});
