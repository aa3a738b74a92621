import { SmsApiError, SmsConnectionError, type Message, type SmsClient } from 'sms-service-client';
import { defineCommand } from '../command.ts';
import { createFollower } from '../follow-messages.ts';
import { pause } from '../pause.ts';
import { readTime } from '../read-time.ts';
import { paintStatus, shorten } from '../show-message.ts';

export const tailMessages = defineCommand({
  name: 'tail',
  summary: 'Shows new messages and each change of their status, until Ctrl-C.',
  description: [
    'It asks for the messages again and again, once a second. A message that takes several steps between two requests ' +
      'is shown with each of them, at the times at which they happened. With --json, each change is one line.',
    'While the service cannot be reached, it tries again.',
  ],
  options: {
    since: {
      type: 'string',
      value: 'TIME',
      description: 'Also show what was created since then: ISO 8601, or 15m, 2h ago.',
    },
    to: { type: 'string', value: 'NUMBER', description: 'Only messages to this number.' },
    from: { type: 'string', value: 'SENDER', description: 'Only messages from this sender.' },
    environment: {
      type: 'string',
      value: 'NAME',
      choices: ['live', 'test'],
      description: 'Only of this environment.',
    },
    interval: { type: 'integer', value: 'SECONDS', description: 'The time between two requests. Default 1.' },
  },
  examples: ['sms tail', 'sms tail --since 15m --json'],
  isEndless: true,
  run: async (context, { options }) => {
    const { output, signal } = context;
    const { interval = 1, to, from } = options;
    const sms = context.client();
    const organizationId = context.organizationId();
    const follower = createFollower({
      since: options.since === undefined ? undefined : readTime('--since', options.since),
      listPage: (query) =>
        sms.messages
          .list(
            {
              ...{
                to,
                from,
                organizationId,
                environment: options.environment as 'live' | 'test' | undefined,
              },
              ...query,
            },
            { signal },
          )
          .page(),
      get: (id) => findMessage(sms, id, organizationId, signal),
    });
    let isReached = true;
    for (;;) {
      try {
        for (const { at, status, message } of await follower.poll()) {
          output.event({ at, status, message }, () => {
            const text = status === 'queued' ? `  ${shorten(message.text)}` : '';
            const error = status === 'failed' ? `  ${message.errorCode ?? ''}` : '';
            const padding = ' '.repeat('delivered'.length - status.length);
            return `${at}  ${paintStatus(output, status)}${padding}  ${message.id}  ${message.to}${text}${error}`;
          });
        }
        if (!isReached) output.note('The service answers again.');
        else if (follower.isFirst()) output.note('Waiting for messages; Ctrl-C ends it.');
        isReached = true;
      } catch (error) {
        if (!isTemporary(error)) throw error;
        // The first request shows whether the URL and the credential are right.
        if (follower.isFirst()) throw error;
        if (isReached) output.note('The service cannot be reached; trying again …');
        isReached = false;
      }
      await pause(interval * 1000, signal);
    }
  },
});

async function findMessage(
  sms: SmsClient,
  id: string,
  organizationId: string | undefined,
  signal: AbortSignal,
): Promise<Message | undefined> {
  try {
    return await sms.messages.get(id, { organizationId }, { signal });
  } catch (error) {
    if (error instanceof SmsApiError && error.status === 404) return undefined;
    throw error;
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof SmsConnectionError) return true;
  return error instanceof SmsApiError && (error.status >= 500 || error.status === 429);
}
