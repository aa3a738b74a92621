import { Pool } from 'undici';
import { createTextSealer } from '../../src/messages/sealer.ts';
import { inParallel, parallelRequests, perSecond } from '../load.ts';
import { costOf, readUsage } from '../usage.ts';
import { measureBareServer } from '../yardsticks.ts';
import { waitForStatus, type Bench, type Figure } from './scenario.ts';

/** The pepper of the bench's service, with which the bench reads the codes before they are submitted. */
export const benchPepper = 'pepper-of-the-bench-0123456789abcdef';

/** No recipient gets two codes, because a recipient may get only five in ten minutes. */
let nextRecipient = 10_000_000;

/** Verifies security codes, each with its correct code. */
export async function codesRound(bench: Bench): Promise<Figure[]> {
  const { service, database, operations } = bench;
  const { demo } = service;
  const { updatesPerSecond } = await measureBareServer(demo.databaseUrl, operations);
  const api = new Pool(demo.baseUrl, { connections: parallelRequests });
  const post = async <Answer>(path: string, body: object): Promise<Answer> => {
    const headers = { 'x-api-key': demo.testApiKey, 'content-type': 'application/json' };
    const response = await api.request({ method: 'POST', path, headers, body: JSON.stringify(body) });
    if (response.statusCode >= 300) throw new Error(`The response to ${path} was ${response.statusCode}.`);
    return (await response.body.json()) as Answer;
  };

  const worker = service.processId('worker')!;
  process.kill(worker, 'SIGSTOP');
  try {
    const codes: { verificationId: string; messageId: string }[] = [];
    await inParallel(operations, async () => {
      const to = `+2519${String(nextRecipient++)}`;
      codes.push(await post('/api/v1/security-codes/send', { to }));
    });
    const messageIds = codes.map(({ messageId }) => messageId);
    const { rows } = await database.query<{ id: string; sealed: string }>(
      `select id, encode(sealed_text, 'base64') as sealed from messages where id = any($1::uuid[])`,
      [messageIds],
    );
    const sealer = createTextSealer({ pepper: benchPepper });
    const codeOf = new Map(rows.map(({ id, sealed }) => [id, /\d+/.exec(sealer.unseal(id, sealed))![0]]));

    const before = await readUsage(service, database);
    const startedAt = performance.now();
    await inParallel(operations, async (index) => {
      const { verificationId, messageId } = codes[index]!;
      const code = codeOf.get(messageId)!;
      const { valid } = await post<{ valid: boolean }>('/api/v1/security-codes/verify', {
        verificationId,
        code,
      });
      if (!valid) throw new Error(`The code of ${verificationId} was refused.`);
    });
    const value = perSecond(operations, startedAt);
    const { cpuMicroseconds } = costOf(operations, before, await readUsage(service, database));
    process.kill(worker, 'SIGCONT');
    await waitForStatus(bench, messageIds, 'delivered');
    return [
      { name: 'security codes verified', unit: '/s', value, yardstick: updatesPerSecond },
      { name: 'api: CPU a code verified', unit: 'µs', value: cpuMicroseconds.api },
    ];
  } finally {
    process.kill(worker, 'SIGCONT');
    await api.close();
  }
}
