import type { Message, MessageInput } from 'sms-service-client';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { CliError, UsageError } from '../errors.ts';
import { countOf, describeMessage, paintStatus } from '../show-message.ts';
import { columns } from '../output.ts';
import { readText } from '../read-text.ts';
import { showReceived } from '../show-received.ts';
import { startWebhookReceiver } from '../webhook-receiver.ts';

export const sendMessage = defineCommand({
  name: 'send',
  summary: 'Sends a message.',
  description: [
    'The service has stored the message when the command returns, and sends it afterwards. --wait waits for the outcome ' +
      'and fails unless the message is delivered.',
    '--listen starts a receiver on this machine, asks for webhooks to it, prints each one whose signature is right, and ' +
      'ends with the last one. The service must be allowed to send webhooks here (WEBHOOK_ALLOWED_HOSTS); `npm start` is.',
  ],
  arguments: [
    { name: 'TO', description: 'The number of the recipient: 0911234567 or +251911234567.' },
    { name: 'TEXT', description: 'The text, in quotes if it has spaces; - reads standard input.' },
  ],
  options: {
    from: {
      type: 'string',
      value: 'SENDER',
      description: 'An approved sender. Default: that of the organization.',
    },
    wait: { type: 'boolean', description: 'Wait until the message is delivered or has failed.' },
    listen: { type: 'boolean', description: 'Receive the webhooks of the message here, and verify them.' },
    timeout: {
      type: 'integer',
      value: 'SECONDS',
      description: 'How long --wait and --listen wait. Default 60.',
    },
    metadata: { type: 'string', value: 'JSON', description: 'An object that the service returns unchanged.' },
    'webhook-url': { type: 'string', value: 'URL', description: 'Where the service reports each status to.' },
    'webhook-secret': { type: 'string', value: 'SECRET', description: 'With it, these webhooks are signed.' },
    'idempotency-key': {
      type: 'string',
      value: 'KEY',
      description: 'Repeating the command with it sends nothing twice.',
    },
  },
  examples: ["sms send 0911234567 'Selam' --wait", "sms send 0911234567 'Selam' --listen"],
  run: async (context, { options, args: [to = '', text = ''] }) => {
    const { timeout = 60, wait, listen } = options;
    const message = {
      ...{ to, text: await readText(text) },
      ...(options.from !== undefined && { from: options.from }),
      ...(options.metadata !== undefined && { metadata: readMetadata(options.metadata) }),
      ...webhookOf(options['webhook-url'], options['webhook-secret'], listen),
      organizationId: context.organizationId(),
    };
    const post = (body: MessageInput): Promise<Message> =>
      context.client().messages.send(body, {
        signal: context.signal,
        idempotencyKey: options['idempotency-key'],
      });
    if (listen) return sendAndListen(context, message, post, timeout);
    const sent = await post(message);
    return wait ? waitForEnd(context, sent, timeout) : showSent(context, sent);
  },
});

function showSent({ output }: Context, message: Message): void {
  output.result(message, () => {
    const { id, status, to, from, segments } = message;
    return [`${id}  ${paintStatus(output, status)}  to ${to} from ${from}, ${countOf(segments, 'segment')}`];
  });
}

async function waitForEnd(
  { client, output, signal }: Context,
  sent: Message,
  timeoutSeconds: number,
): Promise<boolean> {
  output.note(`${sent.id} is queued; waiting for its outcome …`);
  const { organizationId } = sent;
  const message = await client().messages.waitFor(sent.id, { timeoutSeconds, organizationId, signal });
  output.result(message, () => columns(describeMessage(output, message)));
  return message.status === 'delivered';
}

/** Sends a message with a webhook to this process. Returns whether the last webhook says that it was delivered. */
async function sendAndListen(
  { output, signal }: Context,
  message: MessageInput,
  post: (body: MessageInput) => Promise<Message>,
  timeoutSeconds: number,
): Promise<boolean> {
  let resolve: (isDelivered: boolean) => void;
  const last = new Promise<boolean>((settle) => (resolve = settle));
  const receiver = await startWebhookReceiver({
    ...{ host: '127.0.0.1', port: 0 },
    onReceived: (received) => {
      showReceived(output, received);
      if (received.outcome !== 'verified') return;
      if (received.event.event === 'message.delivered') resolve(true);
      if (received.event.event === 'message.failed') resolve(false);
    },
  });
  try {
    const { url, secret } = receiver;
    const sent = await post({ ...message, webhook: { url, secret } });
    output.note(`${sent.id} is queued; waiting for its webhooks at ${url} …`);
    return await Promise.race([last, endOf(signal, timeoutSeconds)]);
  } finally {
    await receiver.close();
  }
}

/** Rejects when the signal is aborted, or after the time. */
async function endOf(signal: AbortSignal, timeoutSeconds: number): Promise<never> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(timeoutSeconds * 1000)]);
  return new Promise((_, reject) => {
    either.addEventListener('abort', () => {
      if (signal.aborted) reject(signal.reason as Error);
      else {
        reject(new CliError('failed', 'timeout', `No webhook told the outcome within ${timeoutSeconds} s.`));
      }
    });
  });
}

function readMetadata(given: string): Record<string, unknown> {
  try {
    const value = JSON.parse(given) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // The error below says the same.
  }
  throw new UsageError('--metadata must be a JSON object, for example \'{"order":17}\'.');
}

function webhookOf(
  url: string | undefined,
  secret: string | undefined,
  listen: boolean,
): { webhook?: NonNullable<MessageInput['webhook']> } {
  if (listen && url !== undefined) throw new UsageError('Give --listen or --webhook-url, not both.');
  if (url === undefined && secret !== undefined)
    throw new UsageError('--webhook-secret needs --webhook-url.');
  return url === undefined ? {} : { webhook: { url, ...(secret !== undefined && { secret }) } };
}
