import type { Client } from 'pg';
import { Pool } from 'undici';
import { inParallel, parallelRequests, waitFor } from '../load.ts';
import type { RunningService } from '../service.ts';

/** A running service, and a connection to its database. */
export interface Bench {
  service: RunningService;
  database: Client;
  /** The number of operations of a round. */
  operations: number;
}

/** One measured figure. With a yardstick, the ratio of both is what counts. */
export interface Figure {
  /** The name of the scenario that measured it, as it is given to the bench. */
  scenario?: string;
  name: string;
  unit: string;
  value: number;
  yardstick?: number;
}

/** Measures a scenario and its yardstick once. Rejects if anything was lost, because such a round has no figures. */
export type RunRound = (bench: Bench) => Promise<Figure[]>;

/**
 * Sends messages by POST, `parallelRequests` at a time.
 *
 * @returns their ids. Rejects if a POST is not answered with 202
 */
export async function postMessages(
  { service: { demo } }: Bench,
  count: number,
  { apiKey, ...message }: { apiKey: string; to: string; webhook?: { url: string; secret: string } },
): Promise<string[]> {
  const api = new Pool(demo.baseUrl, { connections: parallelRequests });
  const ids: string[] = [];
  await inParallel(count, async (index) => {
    const { statusCode, body } = await api.request({
      method: 'POST',
      path: '/api/v1/messages',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ ...message, text: `Message ${index} of the bench` }),
    });
    const { id } = (await body.json()) as { id: string };
    if (statusCode !== 202) throw new Error(`The response to a message was ${statusCode}.`);
    ids.push(id);
  });
  await api.close();
  return ids;
}

/**
 * Waits until all messages have a status. Meanwhile it counts only the messages that are not final, which costs the
 * database almost nothing.
 */
export async function waitForStatus(
  { database }: Bench,
  ids: string[],
  status: 'accepted' | 'delivered',
): Promise<void> {
  const before = status === 'accepted' ? `('queued')` : `('queued', 'accepted', 'sent')`;
  await waitFor(`all messages ${status}`, async () => {
    const { rows } = await database.query<{ count: string }>(
      `select count(*) from messages where status in ${before} and status in ('queued', 'accepted', 'sent')`,
    );
    return rows[0]!.count === '0';
  });
  const { rows } = await database.query<{ count: string }>(
    'select count(*) from messages where id = any($1::uuid[]) and status = $2',
    [ids, status],
  );
  if (Number(rows[0]!.count) !== ids.length) throw new Error(`Not all messages are ${status}.`);
}
