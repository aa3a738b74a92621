import { Pool } from 'undici';
import { inParallel } from './load.ts';

/**
 * Sends single messages without a pause until its parent disconnects: a process of its own, so that it does not delay
 * what the parent measures. Every half second it tells the parent how many were accepted. Arguments: the URL of the API,
 * and a key.
 */
const [baseUrl, apiKey] = process.argv.slice(2);
const api = new Pool(baseUrl!, { connections: 64 });
let accepted = 0;
let isStopped = false;
process.once('disconnect', () => (isStopped = true));
setInterval(() => isStopped || process.send?.(accepted), 500).unref();

await inParallel(Number.POSITIVE_INFINITY, async () => {
  if (isStopped) process.exit(0);
  const { statusCode, body } = await api.request({
    method: 'POST',
    path: '/api/v1/messages',
    headers: { 'x-api-key': apiKey!, 'content-type': 'application/json' },
    body: JSON.stringify({ to: '0911234567', text: 'One message of many' }),
  });
  await body.dump();
  if (statusCode !== 202) throw new Error(`The response to a message was ${statusCode}.`);
  accepted += 1;
});
