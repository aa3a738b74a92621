import { Connection } from '@temporalio/client';
import { Client } from 'pg';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { magicRecipients } from '../../src/gateway/magic-recipients.ts';
import {
  expectDelivered,
  promisedIds,
  startBlackBox,
  type BlackBox,
  type PostAnswer,
} from '../helpers/black-box.ts';
import { until } from '../helpers/until.ts';

/** In every text and every ordinary number of this file; whatever crashes, no log may show them. */
const plantedText = 'Planted-words-of-a-person';
const plantedPrefix = '25191183';

/** Debug, because the lines of a crash are the ones most likely to show what they should not. */
const environment = { SUBMISSION_DOUBT_SECONDS: '3', GATEWAY_TIMEOUT_SECONDS: '2', LOG_LEVEL: 'debug' };

const running: BlackBox[] = [];

async function start(variables: Record<string, string> = {}): Promise<BlackBox> {
  const service = await startBlackBox({ ...environment, ...variables });
  running.push(service);
  return service;
}

afterEach(async () => {
  // The last one first: it may run on the DATA_DIR that the one before it made.
  const services = running.splice(0).toReversed();
  for (const service of services) await service.stop();
  for (const output of services.map((service) => service.output())) {
    if (!output.includes('"process":"api"')) throw new Error('The log was not read, so it proves nothing.');
    const isTelling = (line: string): boolean => line.includes(plantedText) || line.includes(plantedPrefix);
    const telling = output.split('\n').filter(isTelling);
    if (telling.length > 0) throw new Error(`The log shows a text or a number:\n${telling.join('\n')}`);
  }
}, 60_000);

let recipients = 0;

function ordinaryMessage(): Record<string, unknown> {
  recipients += 1;
  return { to: `+${plantedPrefix}${String(recipients).padStart(4, '0')}`, text: plantedText };
}

function messageTo(name: string): Record<string, unknown> {
  return { to: magicRecipients.find((recipient) => recipient.name === name)!.number, text: plantedText };
}

function postAll(service: BlackBox, messages: Record<string, unknown>[]): Promise<PostAnswer[]> {
  return Promise.all(messages.map((message) => service.post(message)));
}

const ordinaryMessages = (count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, ordinaryMessage);

/**
 * Posts from 16 callers at once until so many messages were promised; a caller that was let down waits until
 * the API answers again. Calls `onPromised` with how many were promised so far.
 */
async function postThroughout(
  service: BlackBox,
  count: number,
  onPromised: (promised: number) => Promise<void>,
): Promise<PostAnswer[]> {
  const answers: PostAnswer[] = [];
  let promised = 0;
  const isWell = async (): Promise<boolean> => {
    const answer = await service.post(ordinaryMessage());
    answers.push(answer);
    return answer.status === 202;
  };
  const caller = async (): Promise<void> => {
    while (promised < count) {
      const answer = await service.post(ordinaryMessage());
      answers.push(answer);
      if (answer.status === 202) await onPromised((promised += 1));
      else await until('the API to take messages again', isWell, 30_000);
    }
  };
  await Promise.all(Array.from({ length: 16 }, caller));
  return answers;
}

/** Every row that was stored, whether its caller was told so or not. */
async function expectNothingLeftOpen(service: BlackBox): Promise<void> {
  await until(
    'no message to be open',
    async () => {
      const rows = await service.query(
        `select from messages where status not in ('delivered', 'failed') limit 1`,
      );
      return rows.length === 0;
    },
    30_000,
  );
}

test('a worker killed in the middle of 200 messages, three times, loses none, and submits none twice unmarked', async () => {
  const service = await start({ GATEWAY_CONNECTIONS: '4' });
  const ids: string[] = [];
  for (const wave of [70, 70, 60]) {
    // Every tenth one loses its connection to the gateway, so that second submissions are certain to occur.
    const messages = ordinaryMessages(wave).map((message, index) =>
      index % 10 === 0 ? messageTo('answer_lost_not_taken') : message,
    );
    const answeredBefore = await countAnswered(service);
    const posting = postAll(service, messages);
    const isInTheMiddle = async (): Promise<boolean> => (await countAnswered(service)) >= answeredBefore + 10;
    await until('the worker to have submitted ten', isInTheMiddle, 30_000);
    const killed = await service.signal('worker', 'SIGKILL');
    const waveIds = promisedIds(await posting);
    expect(waveIds).toHaveLength(wave);
    const { queued = 0 } = await service.countStatuses(waveIds);
    expect(queued).toBeGreaterThan(wave / 10); // More than those whose connection is lost: it was the middle.
    ids.push(...waveIds);
    await service.replaced('worker', killed);
  }
  await expectDelivered(service, ids);

  const attempts = (await service.timeline(ids)).filter(({ kind }) => kind === 'submission_attempted');
  const attemptsOf = Map.groupBy(attempts, ({ messageId }) => messageId);
  let repeated = 0;
  for (const id of ids) {
    const [first, ...others] = attemptsOf.get(id)!;
    expect(await service.countSubmissions(id)).toBeLessThanOrEqual(1 + others.length);
    expect(first!.details).toEqual({ attempt: 1, possibleDuplicate: false });
    for (const [index, other] of others.entries()) {
      expect(other.details).toEqual({ attempt: index + 2, possibleDuplicate: true });
    }
    repeated += others.length;
  }
  expect(repeated).toBeGreaterThanOrEqual(ids.length / 10);
}, 150_000);

/** Submissions whose answer was written down. */
async function countAnswered(service: BlackBox): Promise<number> {
  const rows = await service.query<{ count: number }>(
    `select count(*)::int as count from message_events where kind = 'submission_answered'`,
  );
  return rows[0]!.count;
}

async function countAttempted(service: BlackBox, ids: string[]): Promise<number> {
  const timeline = await service.timeline(ids);
  return new Set(
    timeline.flatMap(({ kind, messageId }) => (kind === 'submission_attempted' ? [messageId] : [])),
  ).size;
}

test('the API killed between POSTs, twice, delivers every message it had answered 202, and every one it had stored', async () => {
  const service = await start();
  const killAt = [100, 200];
  const answers = await postThroughout(service, 300, async (promised) => {
    if (!killAt.includes(promised)) return;
    await service.signal('api', 'SIGKILL');
  });
  const ids = promisedIds(answers);
  expect(ids.length).toBeGreaterThanOrEqual(300);
  // It was killed amid requests; and one that it answered, it answered well.
  expect(answers.some(({ status }) => status === null)).toBe(true);
  expect(answers.filter(({ status }) => status !== null && status !== 202)).toEqual([]);
  await expectDelivered(service, ids);
  await expectNothingLeftOpen(service);
}, 120_000);

test('with Temporal killed, and then hung, each of 50 POSTs is answered 202 within 2 s, and all are delivered', async () => {
  const service = await start();
  await service.signal('temporal', 'SIGKILL');
  const whileDown = await postAll(service, ordinaryMessages(50));
  expect(whileDown.filter((answer) => !isPromptPromise(answer))).toEqual([]);
  await until('Temporal to be back', () => answersAt(service.demo.temporalAddress), 30_000);

  const hung = await service.signal('temporal', 'SIGSTOP');
  const outputBefore = service.output().length;
  const whileHung = await postAll(service, ordinaryMessages(50));
  expect(whileHung.filter((answer) => !isPromptPromise(answer))).toEqual([]);
  await until(
    'the API to leave the start of their workflow to the sweep',
    () => service.output().slice(outputBefore).includes('the sweep will start it'),
    20_000,
  );
  process.kill(hung, 'SIGCONT');
  await expectDelivered(service, promisedIds([...whileDown, ...whileHung]));
}, 120_000);

async function answersAt(temporalAddress: string): Promise<boolean> {
  try {
    await (await Connection.connect({ address: temporalAddress, connectTimeout: 1000 })).close();
    return true;
  } catch {
    return false;
  }
}

const isPromptPromise = ({ status, durationMs }: PostAnswer): boolean => status === 202 && durationMs < 2000;

test("Temporal's database may be lost: what was under way and what was never started is delivered by a new one", async () => {
  const first = await start({ SUBMISSION_DOUBT_SECONDS: '8' });
  const underWay = promisedIds(
    await postAll(
      first,
      Array.from({ length: 20 }, () => messageTo('answer_lost_not_taken')),
    ),
  );
  await until('all to be attempted', async () => (await countAttempted(first, underWay)) === underWay.length);
  await first.signal('temporal', 'SIGKILL');
  const neverStarted = promisedIds(await postAll(first, ordinaryMessages(20)));
  const ids = [...underWay, ...neverStarted];
  expect(await first.countStatuses(ids)).toEqual({ queued: 40 });
  // Ended without a chance to bring anything to its end.
  const exited = new Promise((resolve) => first.process.once('exit', resolve));
  first.process.kill('SIGKILL');
  await exited;
  for (const part of ['api', 'worker', 'simulator', 'temporal', 'postgres'] as const) {
    await until(`${part} to end`, () => first.processId(part) === undefined, 30_000);
  }
  await rm(join(first.dataDir, 'temporal'), { recursive: true });

  const second = await start({ DATA_DIR: first.dataDir, SUBMISSION_DOUBT_SECONDS: '1' });
  await expectDelivered(second, ids);
}, 150_000);

test('while PostgreSQL is down POSTs are answered 503, and every message answered 202 is delivered', async () => {
  const service = await start();
  const answers = await postThroughout(service, 150, async (promised) => {
    if (promised === 50) await service.signal('postgres', 'SIGKILL');
  });
  const ids = promisedIds(answers);
  const refused = answers.filter(({ status }) => status !== 202);
  expect(refused.length).toBeGreaterThan(0);
  for (const answer of refused) expect(answer).toMatchObject({ status: 503, code: 'unavailable' });
  await expectDelivered(service, ids);
  await expectNothingLeftOpen(service);
}, 120_000);

test.each([
  ['/api/v1/messages', 'messages', 'id'],
  ['/api/v1/security-codes/send', 'security_codes', 'verificationId'],
] as const)(
  'the API killed between the commit and the answer of POST %s: the caller who repeats it by its key is answered for the one that was made',
  async (...[path, table, idName]) => {
    const service = await start();
    const client = new Client({ connectionString: service.demo.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    // The commit waits for a lock that this test holds; the connection's end is not noticed while it waits.
    await client.query(`
      create function wait_for_the_test() returns trigger language plpgsql
        as 'begin perform pg_advisory_xact_lock_shared(4711); return null; end';
      create constraint trigger wait_for_the_test after insert on idempotency_keys
        deferrable initially deferred for each row execute function wait_for_the_test();
      select pg_advisory_lock(4711);
    `);
    const { text, to } = ordinaryMessage();
    const body = JSON.stringify(path.endsWith('messages') ? { text, to } : { to });
    const post = () =>
      fetch(`${service.demo.baseUrl}${path}`, {
        method: 'POST',
        headers: {
          'X-API-Key': service.demo.testApiKey,
          'Content-Type': 'application/json',
          'Idempotency-Key': 'order-4711',
        },
        body,
      });
    const first = post().then(
      ({ status }) => status,
      () => null,
    );
    await until('the commit to wait', async () => {
      const { rows } = await client.query(`select from pg_locks where locktype = 'advisory' and not granted`);
      return rows.length > 0;
    });
    const killed = await service.signal('api', 'SIGKILL');
    expect(await first).toBeNull();
    expect((await client.query(`select from ${table}`)).rows).toHaveLength(0);
    await client.query('select pg_advisory_unlock(4711)');
    const stored = await until('the commit', async () => {
      const { rows } = await client.query<{ id: string }>(`select id from ${table}`);
      return rows.length > 0 && rows;
    });
    await client.end();
    await service.replaced('api', killed);
    const again = await until('the API to answer again', () => post().catch(() => null), 30_000);
    expect(again.status).toBe(202);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(((await again.json()) as Record<string, string>)[idName]).toBe(stored[0]!.id);
    const messages = await service.query<{ id: string }>('select id from messages');
    expect(messages).toHaveLength(1);
    await expectDelivered(service, [messages[0]!.id]);
    expect(await service.countSubmissions(messages[0]!.id)).toBe(1);
  },
  120_000,
);
