import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { startKannel } from './start.ts';

/**
 * `npm run kannel`: runs a real gateway on a developer's machine until Ctrl-C.
 * A line `FROM TO TEXT` on standard input is a message from a phone.
 */
const { values } = parseArgs({
  options: {
    'base-url': { type: 'string', default: 'http://127.0.0.1:3000' },
    token: { type: 'string', default: randomBytes(24).toString('base64url') },
    directory: { type: 'string' },
  },
});

const kannel = await startKannel({
  callbackBaseUrl: values['base-url'],
  gatewayToken: values.token,
  ...(values.directory !== undefined && { directory: values.directory }),
});
console.log(`Kannel is ready. Its files: ${kannel.directory}  Its status: ${kannel.statusUrl}

Start the service with it:

  GATEWAY_URL=${kannel.sendsmsUrl} GATEWAY_USERNAME=${kannel.username} \\
  GATEWAY_PASSWORD=${kannel.password} GATEWAY_TOKEN=${values.token} npm start

Messages from phones: type  FROM TO TEXT  and Enter. Ctrl-C stops Kannel.`);

let shown = 0;
async function showReceived(): Promise<void> {
  const messages = await kannel.phone.received();
  for (const { from, to, text, segments } of messages.slice(shown)) {
    console.log(`→ ${to} from ${from}, segments: ${segments}: ${text}`);
  }
  shown = messages.length;
}
const watch = setInterval(() => void showReceived().catch(console.error), 1_000);

const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
  const [from, to, ...words] = line.trim().split(' ');
  if (!from || !to || words.length === 0) return console.log('The format of a line is: FROM TO TEXT');
  kannel.phone.send(from, to, words.join(' ')).catch(console.error);
});

async function stop(): Promise<void> {
  clearInterval(watch);
  input.close();
  await kannel.stop();
  process.exit(0);
}
process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());
