import { once } from 'node:events';
import { defineCommand } from '../command.ts';
import { UsageError } from '../errors.ts';
import { showReceived } from '../show-received.ts';
import { readForwardUrl, startWebhookReceiver } from '../webhook-receiver.ts';

const defaultPort = 4242;

export const listenWebhooks = defineCommand({
  name: 'webhooks listen',
  summary: 'Receives webhooks on this machine, verifies their signatures and prints them, until Ctrl-C.',
  description: [
    'It prints the URL and the secret to give to messages. A webhook with the right signature is answered with 200, any ' +
      'other request with 400. With --forward-to, the answer is that of the program that it is forwarded to, so that the ' +
      'service repeats what failed there. With --json, each webhook is one line.',
    'The service must be allowed to send webhooks here (WEBHOOK_ALLOWED_HOSTS); `npm start` is.',
  ],
  options: {
    port: { type: 'integer', value: 'PORT', description: `The port to listen on. Default ${defaultPort}.` },
    host: { type: 'string', value: 'ADDRESS', description: 'The address to listen on. Default 127.0.0.1.' },
    secret: {
      type: 'string',
      value: 'SECRET',
      description: 'The secret of the webhooks. Default: a new one.',
    },
    'forward-to': { type: 'string', value: 'URL', description: 'Send each verified webhook on to this URL.' },
  },
  examples: ['sms webhooks listen', 'sms webhooks listen --forward-to http://127.0.0.1:8000/sms-events'],
  isEndless: true,
  run: async ({ output, signal }, { options }) => {
    const { port = defaultPort, host = '127.0.0.1', 'forward-to': forwardTo } = options;
    if (port > 65_535) throw new UsageError(`--port must be at most 65535, not ${port}.`);
    const receiver = await startWebhookReceiver({
      ...{ host, port, secret: options.secret },
      forwardTo: forwardTo === undefined ? undefined : readForwardUrl(forwardTo),
      onReceived: (received) => showReceived(output, received),
    });
    try {
      const { url, secret } = receiver;
      output.result({ url, secret }, () => [`Listening at ${url} with the secret ${secret}`]);
      output.note(`For example: sms send 0911234567 Selam --webhook-url ${url} --webhook-secret ${secret}`);
      if (!signal.aborted) await once(signal, 'abort');
      throw signal.reason as Error;
    } finally {
      await receiver.close();
    }
  },
});
