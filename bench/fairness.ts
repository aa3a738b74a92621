import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { prepareBulk } from './bulk.ts';
import { percentile, waitFor } from './load.ts';
import { makeSecondOrganization } from './second-organization.ts';
import { startService, type RunningService } from './service.ts';

/** What the quiet organization sends in a second, spread evenly with a random part. */
const [messagesPerSecond, codesPerSecond] = [5, 1];

/** How often the bench looks for delivered messages. */
const lookMs = 20;

/** A backlog of the busy organization may take a while after it has stopped. Looking at it often would delay it. */
const [drainMs, countMs] = [600_000, 250];

/**
 * Measures what one organization notices of another. The quiet one sends single messages and security codes: first
 * alone, then while the busy one floods the API with single messages, then while the busy one sends a bulk batch.
 *
 * Options: the seconds of the idle and of the flooded phase (30), and the recipients of the batch (20000).
 */
export async function fairnessBench([seconds = '30', recipients = '20000']: string[]): Promise<void> {
  const service = await startService({
    ...{ RATE_LIMIT_PER_MINUTE: '10000000', ORGANIZATION_RATE_LIMIT_PER_MINUTE: '10000000' },
  });
  const database = new Client({ connectionString: service.demo.databaseUrl });
  try {
    await database.connect();
    const { apiKey } = await makeSecondOrganization(service.demo.databaseUrl);
    const quiet = (until: () => boolean) => sendQuietly({ service, database, apiKey, until });
    const bulk = await prepareBulk(service, database, Number(recipients));
    process.stderr.write('Warming up …\n');
    // Code is compiled, and connections are open.
    await flood(service, database, 3);
    await quiet(after(3));

    process.stderr.write('Idle …\n');
    const idle = await quiet(after(Number(seconds)));
    process.stderr.write('Beside a flood of single messages …\n');
    const [flooded, single] = await Promise.all([
      quiet(after(Number(seconds))),
      flood(service, database, Number(seconds)),
    ]);
    process.stderr.write('Beside a bulk batch …\n');
    const batch = sendBulk(service, database, bulk);
    let isSent = false;
    batch.then(
      () => (isSent = true),
      () => (isSent = true),
    );
    const besideBulk = await quiet(() => isSent);
    const perSecond = Number(recipients) / ((await batch) / 1000);

    for (const [phase, times] of Object.entries({ idle, flood: flooded, bulk: besideBulk })) {
      print(phase, times, idle);
      await printStages(phase, times, database);
    }
    process.stdout.write(`\nThe flood: ${single.accepted.toFixed(0)} messages/s accepted, `);
    process.stdout.write(`${single.delivered.toFixed(0)}/s delivered meanwhile, `);
    process.stdout.write(`the rest ${(single.drainedMs / 1000).toFixed(1)} s after its end\n`);
    process.stdout.write(`The batch: ${perSecond.toFixed(0)} messages/s delivered\n`);
  } finally {
    await database.end();
    await service.stop();
  }
}

function after(seconds: number): () => boolean {
  const endsAt = performance.now() + seconds * 1000;
  return () => performance.now() >= endsAt;
}

/** Times of one message in milliseconds: of its POST, and from the begin of its POST until it is delivered. */
interface Times {
  id: string;
  startedAtMs: number;
  postMs: number;
  deliveredMs: number;
}

/** Sends what the quiet organization sends, and waits until all of it is delivered. */
async function sendQuietly(given: {
  service: RunningService;
  database: Client;
  apiKey: string;
  until: () => boolean;
}): Promise<Times[]> {
  const { service, database, apiKey, until } = given;
  const open = new Map<string, { startedAt: number; startedAtMs: number; postMs: number }>();
  const times: Times[] = [];
  let isEnded = false;
  const send = async (path: string, body: object): Promise<void> => {
    const [startedAt, startedAtMs] = [performance.now(), Date.now()];
    const response = await fetch(`${service.demo.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const postMs = performance.now() - startedAt;
    if (response.status !== 202) throw new Error(`The response to ${path} was ${response.status}.`);
    const { id, messageId = id } = (await response.json()) as { id: string; messageId?: string };
    open.set(messageId, { startedAt, startedAtMs, postMs });
  };
  const to = (): string => `+2517${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
  const look = async (): Promise<void> => {
    while (!isEnded || open.size > 0) {
      const ids = [...open.keys()];
      const { rows } = await database.query<{ id: string }>({
        name: 'find_delivered',
        text: `select id from messages where id = any($1::uuid[]) and status = 'delivered'`,
        values: [ids],
      });
      for (const { id } of rows) {
        const { startedAt, ...known } = open.get(id)!;
        times.push({ id, ...known, deliveredMs: performance.now() - startedAt });
        open.delete(id);
      }
      await sleep(lookMs);
    }
  };
  const looking = look();
  await Promise.all([
    repeat(messagesPerSecond, until, () => send('/api/v1/messages', { to: to(), text: 'Selam' })),
    repeat(codesPerSecond, until, () => send('/api/v1/security-codes/send', { to: to() })),
  ]);
  isEnded = true;
  await looking;
  return times;
}

/** Begins work at a rate, at a random moment of each interval, and waits for all of it. */
async function repeat(perSecond: number, until: () => boolean, work: () => Promise<void>): Promise<void> {
  const beganAt = performance.now();
  const running: Promise<void>[] = [];
  for (let index = 0; !until(); index += 1) {
    const waitMs = beganAt + ((index + Math.random()) * 1000) / perSecond - performance.now();
    await sleep(Math.max(0, waitMs));
    running.push(work());
  }
  await Promise.all(running);
}

const openMessages = `select count(*) from messages where status in ('queued', 'accepted', 'sent')`;

async function isDrained(database: Client): Promise<boolean> {
  await sleep(countMs);
  const { rows } = await database.query<{ count: string }>(openMessages);
  return rows[0]!.count === '0';
}

/**
 * Lets the busy organization send single messages, with 64 callers that never pause.
 *
 * @returns messages a second during the flood, and how long after it the last one was delivered
 */
async function flood(
  { demo }: RunningService,
  database: Client,
  seconds: number,
): Promise<{ accepted: number; delivered: number; drainedMs: number }> {
  const startedAt = performance.now();
  const child = fork(fileURLToPath(new URL('flood.ts', import.meta.url)), [demo.baseUrl, demo.testApiKey]);
  let accepted = 0;
  child.on('message', (count: number) => (accepted = count));
  await sleep(seconds * 1000);
  child.disconnect();
  await once(child, 'exit');
  const tookSeconds = (performance.now() - startedAt) / 1000;
  const { rows } = await database.query<{ count: string }>(openMessages);
  const endedAt = performance.now();
  await waitFor('the messages of the flood', () => isDrained(database), drainMs);
  const drainedMs = performance.now() - endedAt;
  const delivered = Math.max(0, accepted - Number(rows[0]!.count));
  return { accepted: accepted / tookSeconds, delivered: delivered / tookSeconds, drainedMs };
}

/** Sends a batch of the busy organization. Returns the milliseconds until its last message is delivered. */
async function sendBulk(
  { demo }: RunningService,
  database: Client,
  ids: { campaignId: string; contactListId: string },
): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`${demo.baseUrl}/api/v1/bulk-sms`, {
    method: 'POST',
    headers: { 'x-api-key': demo.testApiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ ...ids, text: 'Selam {{firstName|there}}' }),
  });
  if (response.status !== 202) throw new Error(`The response to a batch was ${response.status}.`);
  const { id } = (await response.json()) as { id: string };
  const isSent = async (): Promise<boolean> => {
    await sleep(countMs);
    const { rows } = await database.query<{ count: string }>(
      `select count(*) from messages where bulk_batch_id = $1 and status in ('queued', 'accepted', 'sent')`,
      [id],
    );
    const { rows: batches } = await database.query<{ total: number; next_position: number; status: string }>(
      'select total, next_position, status from bulk_batches where id = $1',
      [id],
    );
    const { total, next_position, status } = batches[0]!;
    if (status === 'failed') throw new Error('The batch failed.');
    return rows[0]!.count === '0' && total > 0 && next_position > total;
  };
  await waitFor('the messages of the batch', isSent, drainMs);
  return performance.now() - startedAt;
}

function print(phase: string, times: Times[], idle: Times[]): void {
  for (const [name, read] of [
    ['POST', ({ postMs }: Times) => postMs],
    ['POST to delivered', ({ deliveredMs }: Times) => deliveredMs],
  ] as const) {
    const columns = [50, 95, 99].map((percent) => {
      const value = percentile(times.map(read), percent);
      const ratio = value / percentile(idle.map(read), percent);
      return `p${percent} ${value.toFixed(0).padStart(5)} ms (× ${ratio.toFixed(2)})`;
    });
    process.stdout.write(
      `${phase.padEnd(6)} ${name.padEnd(18)} ${columns.join('   ')}   n=${times.length}\n`,
    );
  }
}

/** Where the time goes: the begin of each stage of a message, since the begin of its POST. */
async function printStages(phase: string, times: Times[], database: Client): Promise<void> {
  const { rows } = await database.query<{ id: string } & Record<string, string>>(
    `select messages.id, messages.created_at as stored, dispatches.created_at as assigned, dispatches.started_at as started,
       (select min(at) from message_events where message_id = messages.id and kind = 'submission_attempted') as claimed,
       accepted_at as accepted, sent_at as sent, delivered_at as delivered
     from messages left join dispatches on dispatches.id = messages.dispatch_id and dispatches.kind = 'messages'
     where messages.id = any($1::uuid[])`,
    [times.map(({ id }) => id)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const stages = ['stored', 'assigned', 'started', 'claimed', 'accepted', 'sent', 'delivered'].map(
    (stage) => {
      const sinceMs = times.map(({ id, startedAtMs }) => Number(byId.get(id)![stage]) - startedAtMs);
      return `${stage} ${percentile(sinceMs, 50).toFixed(0)}/${percentile(sinceMs, 99).toFixed(0)}`;
    },
  );
  process.stdout.write(`${phase.padEnd(6)} p50/p99 in ms of   ${stages.join('  ')}\n`);
}
