import { sql } from 'kysely';
import { sqlOf } from '../../src/database.ts';
import { openDatabase } from '../../src/open-database.ts';
import { listenerName } from '../../src/notice-listener.ts';
import { recordNotifications } from '../../src/notifications/record-notifications.ts';
import { streamLimits } from '../../src/streams/event-streams.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { openStream, type TestStream } from '../helpers/event-stream.ts';
import { eventFor, join, tell } from '../helpers/notifications.ts';
import { createOrganization, makeAdministrator, problemOf, signUp, type Person } from '../helpers/people.ts';
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.ts';
import { until } from '../helpers/until.ts';

const path = '/api/v1/notifications/stream';
const patienceMs = 20_000;

let db: TestDatabase;
/** Two processes, but for their memory: each has its pool, its listener and its streams. */
let apis: [TestApi, TestApi];
let proxy: TcpProxy;
let stopSecond: () => Promise<void>;
let abebe: Person;
let organizationId: string;
const streams: TestStream[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  proxy = await startTcpProxy(db.url);
  const second = await openDatabase({ url: proxy.url, poolSize: 5 });
  apis = [await startTestApi({ database: db.database }), await startTestApi({ database: second })];
  stopSecond = async () => {
    await apis[1].stop();
    await second.close();
  };
}, 30_000);

beforeEach(async () => {
  abebe = await signUp(apis[0]);
  ({ organizationId } = await createOrganization(abebe));
});

afterEach(() => streams.splice(0).forEach((stream) => stream.close()));

afterAll(async () => {
  await stopSecond();
  await apis[0].stop();
  await proxy.stop();
  await db.drop();
});

async function open(
  api: TestApi,
  person: Person,
  options: { lastEventId?: string; query?: string } = {},
): Promise<TestStream> {
  const { query = '', ...rest } = options;
  const stream = await openStream(api, `${path}${query}`, { session: person.token, ...rest });
  streams.push(stream);
  await until('the first id', () => stream.lastId());
  return stream;
}

const subjectsOf = (stream: TestStream): string[] =>
  stream.events().map(({ data }) => data.subjectId as string);

async function tellOne(person = abebe, organization = organizationId): Promise<string> {
  const event = eventFor(person, organization);
  await tell(db, [event]);
  return event.subjectId;
}

/** What a stream has told of, once it is so much. */
const heard = (stream: TestStream, count: number) =>
  until(`${count} events`, () => stream.events().length >= count && subjectsOf(stream), patienceMs);

test('a review made by one process arrives on the streams of all processes, as the list shows it', async () => {
  const reviewer = await signUp(apis[0]);
  await makeAdministrator(db, reviewer);
  const both = await Promise.all(apis.map((api) => open(api, abebe)));
  const asked = await abebe.call('POST', '/api/v1/sender-ids', {
    json: {
      ...{ organizationId, value: 'Parcels', useCase: 'Tells where parcels are.', sampleMessage: 'Hello.' },
    },
  });
  await reviewer.call('PATCH', `/api/v1/admin/sender-ids/${asked.body.id}/review`, {
    json: { action: 'approve' },
  });
  for (const stream of both) {
    expect(await heard(stream, 1)).toEqual([asked.body.id]);
    const [event] = stream.events();
    const { body } = await abebe.call('GET', '/api/v1/notifications');
    expect(event).toEqual({ event: 'notification', id: expect.stringMatching(/^\d+$/), data: body.data[0] });
  }
  expect(both[0]!.response.headers).toMatchObject({
    'content-type': expect.stringContaining('text/event-stream'),
    'cache-control': 'no-store',
    'x-request-id': expect.any(String),
  });
  expect(both[0]!.text()).toMatch(/^retry: \d+\n\nid: \d+\n\n/);
});

test('a stream has what concerns its reader and its organization, and what is told to him as a person', async () => {
  const other = await createOrganization(abebe);
  const almaz = await signUp(apis[0]);
  await join(db, almaz, organizationId);
  const stream = await open(apis[0], abebe, { query: `?organizationId=${organizationId}` });
  await tellOne(almaz);
  await tellOne(abebe, other.organizationId);
  const host = await signUp(apis[0]);
  const { organizationId: inviting } = await createOrganization(host);
  const { body } = await host.post('/organization/invite-member', {
    ...{ email: abebe.email, role: 'member', organizationId: inviting },
  });
  const told = await tellOne();
  expect(await heard(stream, 2)).toEqual([body.id, told]);
});

test('who belongs to no organization hears of his invitations', async () => {
  const guest = await signUp(apis[0]);
  const stream = await open(apis[1], guest);
  const { body } = await abebe.post('/organization/invite-member', {
    ...{ email: guest.email, role: 'member', organizationId },
  });
  expect(await heard(stream, 1)).toEqual([body.id]);
});

describe('a stream that was cut and is resumed', () => {
  test('goes on after what its client has seen, on another process too', async () => {
    const [before, between] = [await open(apis[0], abebe), [] as string[]];
    const seen = [await tellOne(), await tellOne()];
    expect(await heard(before, seen.length)).toEqual(seen);
    before.close();
    for (let count = 0; count < 120; count += 1) between.push(await tellOne());
    const after = await open(apis[1], abebe, { lastEventId: before.lastId()! });
    expect(await heard(after, between.length)).toEqual(between);
    const last = await tellOne();
    expect(await heard(after, between.length + 1)).toEqual([...between, last]);
  });

  test('before its first event misses nothing either', async () => {
    await tellOne();
    const before = await open(apis[0], abebe);
    before.close();
    const missed = await tellOne();
    expect(before.events()).toEqual([]);
    expect(await heard(await open(apis[0], abebe, { lastEventId: before.lastId()! }), 1)).toEqual([missed]);
  });

  test('behind an id that is above all there are, as after a restore from a dump, has what comes next', async () => {
    await tellOne();
    const last = (await open(apis[0], abebe)).lastId();
    const resumed = await open(apis[0], abebe, { lastEventId: '9'.repeat(18) });
    expect(resumed.lastId()).toBe(last);
    const next = await tellOne();
    expect(await heard(resumed, 1)).toEqual([next]);
    // As does who was never told of anything.
    const newcomer = await signUp(apis[0]);
    await join(db, newcomer, organizationId);
    const first = await open(apis[1], newcomer, { lastEventId: '5000000' });
    const told = await tellOne(newcomer);
    expect(await heard(first, 1)).toEqual([told]);
  });

  test('with an empty Last-Event-ID begins with what comes next', async () => {
    await tellOne();
    const stream = await open(apis[0], abebe, { lastEventId: '' });
    const next = await tellOne();
    expect(await heard(stream, 1)).toEqual([next]);
  });

  test('misses nothing of what is committed in another order than it was begun', async () => {
    // The first is recorded first, and stays uncommitted: whoever comes after it for the same person waits, so no
    // client can have seen a later one, and resume behind it.
    let commit: () => void = () => undefined;
    const first = eventFor(abebe, organizationId);
    const recorded = Promise.withResolvers<void>();
    const stream = await open(apis[0], abebe);
    const firstDone = sqlOf(db.database)
      .transaction()
      .execute(async (transaction) => {
        await recordNotifications(transaction, [first], new Date());
        recorded.resolve();
        await new Promise<void>((resolve) => (commit = resolve));
      });
    await recorded.promise;
    const second = tellOne();
    const third = tellOne();
    await until('both to wait', async () => {
      const waiting = await db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
      );
      return waiting.length === 2;
    });
    expect(stream.events()).toEqual([]);
    commit();
    await firstDone;
    const later = await Promise.all([second, third]);
    await until('all three', () => stream.events().length === 3, patienceMs);
    expect(subjectsOf(stream)[0]).toBe(first.subjectId);
    expect(new Set(subjectsOf(stream))).toEqual(new Set([first.subjectId, ...later]));
    // Whatever of these was seen last, the rest comes.
    for (const [index, { id }] of stream.events().entries()) {
      const resumed = await open(apis[1], abebe, { lastEventId: id! });
      expect(await heard(resumed, 2 - index)).toEqual(subjectsOf(stream).slice(index + 1));
      await tellOneAndWait(resumed);
      resumed.close();
    }
  });

  /** After this nothing is on its way that was made before. */
  async function tellOneAndWait(stream: TestStream): Promise<void> {
    const subject = await tellOne();
    await until('the last one', () => subjectsOf(stream).at(-1) === subject, patienceMs);
  }

  test('again and again while many are told by many at once has each of them once', async () => {
    const wanted = 300;
    const seen: string[] = [];
    const telling = Promise.all(
      Array.from({ length: 10 }, async () => {
        const told: string[] = [];
        // Held open for a while after it was recorded, each for another time.
        while (told.length < wanted / 10) {
          const event = eventFor(abebe, organizationId);
          await tell(db, [event], async (transaction) => {
            await sql`select pg_sleep(random() / 200)`.execute(transaction);
          });
          told.push(event.subjectId);
        }
        return told;
      }),
    );
    let lastEventId = '0';
    for (let round = 0; seen.length < wanted; round += 1) {
      const stream = await openStream(apis[round % 2]!, path, { session: abebe.token, lastEventId });
      const enough = seen.length + 7;
      await until(
        'some more',
        () => seen.length + stream.events().length >= Math.min(enough, wanted),
        patienceMs,
      );
      stream.close();
      // What came after the cut was looked at is seen, or not: the client decides by the id it keeps.
      seen.push(...subjectsOf(stream));
      lastEventId = stream.lastId() ?? lastEventId;
    }
    const told = (await telling).flat();
    expect(seen).toHaveLength(wanted);
    expect(seen.toSorted()).toEqual(told.toSorted());
  }, 60_000);
});

describe('a process that does not hear PostgreSQL', () => {
  const listeners = () =>
    db.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = ? and datname = current_database()
       and (query ilike 'listen%' or query = 'select 1')`,
      [listenerName],
    );

  test('has one connection that listens, however many streams it has', async () => {
    await Promise.all([open(apis[0], abebe), open(apis[0], abebe), open(apis[1], abebe)]);
    const found = await until('both to listen', async () => {
      const all = await listeners();
      return all.length >= 2 && all;
    });
    expect(found).toHaveLength(2);
  });

  test('because its connection was terminated listens again, and has missed nothing', async () => {
    const both = await Promise.all(apis.map((api) => open(api, abebe)));
    const first = await tellOne();
    for (const stream of both) expect(await heard(stream, 1)).toEqual([first]);
    const old = await listeners();
    // In one transaction with what is told, so that nobody listens at its commit.
    const second = eventFor(abebe, organizationId);
    await tell(db, [second], async (transaction) => {
      await sql`
        select pg_terminate_backend(pid, 5000) from pg_stat_activity
        where application_name = ${listenerName} and datname = current_database()
      `.execute(transaction);
    });
    for (const stream of both) expect(await heard(stream, 2)).toEqual([first, second.subjectId]);
    const now = await until('both to listen again', async () => {
      const found = await listeners();
      return found.length === 2 && found;
    });
    expect(now.filter(({ pid }) => old.some((one) => one.pid === pid))).toEqual([]);
    const third = await tellOne();
    for (const stream of both) expect(await heard(stream, 3)).toEqual([first, second.subjectId, third]);
  });

  test('nor reaches it at all keeps its streams, and catches up once it does', async () => {
    const stream = await open(apis[1], abebe);
    await proxy.cut();
    const missed = [await tellOne(), await tellOne()];
    const other = await open(apis[0], abebe, { lastEventId: '0' });
    expect(await heard(other, missed.length)).toEqual(missed);
    expect(stream.events()).toEqual([]);
    await proxy.restore();
    expect(await heard(stream, missed.length)).toEqual(missed);
    expect(stream.ended()).toBe(false);
  });
});

describe('a stream ends', () => {
  const causes: [string, (person: Person) => Promise<unknown>][] = [
    [
      'its session is revoked',
      (person) => db.query('delete from sessions where user_id = ?', [person.userId]),
    ],
    [
      'its session expires',
      (person) => db.query(`update sessions set expires_at = now() where user_id = ?`, [person.userId]),
    ],
    [
      'its user is banned',
      (person) => db.query('update users set banned = true where id = ?', [person.userId]),
    ],
    [
      'its user is no member any more',
      (person) => db.query('delete from members where user_id = ?', [person.userId]),
    ],
  ];
  test.each(causes)('when %s, and another does not', async (...[, cause]) => {
    const almaz = await signUp(apis[0]);
    await join(db, almaz, organizationId);
    const [stream, other] = [await open(apis[0], almaz), await open(apis[0], abebe)];
    await cause(almaz);
    // Well before the next comment.
    await until('the end', () => stream.ended(), 8000);
    expect(other.ended()).toBe(false);
    const told = await tellOne();
    expect(await heard(other, 1)).toEqual([told]);
  });

  test('and a member who was removed is told nothing more, not even before the end', async () => {
    const almaz = await signUp(apis[0]);
    await join(db, almaz, organizationId);
    const stream = await open(apis[0], almaz);
    const told = await tellOne(almaz);
    expect(await heard(stream, 1)).toEqual([told]);
    await db.query(
      `with gone as (delete from members where user_id = ? returning user_id), told as (
        insert into notifications (id, organization_id, user_id, kind, subject_id, occurrence, title, body, data, position, created_at)
        select gen_random_uuid(), ?, user_id, 'batch_completed', gen_random_uuid(), 'x', 'x', 'x', '{}', nextval('notification_positions'), now()
        from gone returning user_id
      ) select pg_notify('notifications', user_id::text) from told`,
      [almaz.userId, organizationId],
    );
    await until('the end', () => stream.ended(), 8000);
    expect(stream.events()).toHaveLength(1);
  });

  test('when its reader does not read, while others go on', async () => {
    const [slow, other] = [await open(apis[0], abebe), await open(apis[0], abebe)];
    slow.pause();
    const body = 'x'.repeat(16_000);
    const told = 1500;
    await tell(
      db,
      Array.from({ length: told }, () => eventFor(abebe, organizationId, { body })),
    );
    await until('all at the other', () => other.events().length === told, patienceMs);
    expect(other.ended()).toBe(false);
    // What PostgreSQL has for the slow one is not read as long as it is behind; after 15 seconds of that it is cut off.
    // It does not see that itself, for it does not read: what tells is the room that it leaves.
    const atMost = streamLimits.credential;
    for (let count = 2; count < atMost; count += 1) await open(apis[0], abebe);
    await expect(open(apis[0], abebe)).rejects.toThrow('rate_limited');
    await until('the cut', () => open(apis[0], abebe).catch(() => null), 40_000);
    slow.resume();
    await until('the end', () => slow.ended(), patienceMs);
    expect(slow.events().length).toBeLessThan(told);
    // What it has not seen, it has when it comes back.
    other.close();
    const back = await open(apis[0], abebe, { lastEventId: slow.lastId()! });
    const rest = told - slow.events().length;
    await until('the rest', () => back.events().length === rest, patienceMs);
  }, 90_000);

  test('whole, when the process stops', async () => {
    const stopping = await startTestApi({ database: db.database });
    const stream = await open(stopping, abebe);
    await stopping.stop();
    await until('the end', () => stream.ended());
    expect(stream.response.complete).toBe(true);
  });
});

test('a session has so many streams and no more, and has room again once one is closed', async () => {
  const opened: TestStream[] = [];
  for (let count = 0; count < streamLimits.credential; count += 1) opened.push(await open(apis[0], abebe));
  const refused = await abebe.call('GET', path);
  expect(problemOf(refused)).toEqual({ status: 429, code: 'rate_limited' });
  expect(refused.headers.get('retry-after')).toBe('5');
  opened[0]!.close();
  await until('room', () => open(apis[0], abebe).catch(() => null));
});

test('HEAD has the headers and ends, OPTIONS tells what is possible', async () => {
  const head = await abebe.call('HEAD', path);
  expect({ status: head.status, type: head.headers.get('content-type'), body: head.body }).toEqual({
    ...{ status: 200, type: expect.stringContaining('text/event-stream'), body: '' },
  });
  const options = await abebe.call('OPTIONS', path);
  expect({ status: options.status, allow: options.headers.get('allow') }).toEqual({
    ...{ status: 204, allow: 'GET, HEAD, OPTIONS' },
  });
  expect((await abebe.call('POST', path)).status).toBe(405);
});

test.each(['x', '-1', '1.5', '9'.repeat(19)])(
  'a Last-Event-ID of %s, which is none of ours, is refused',
  async (id) => {
    const answer = await abebe.call('GET', path, { headers: { 'Last-Event-ID': id } });
    expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
  },
);

test('a silence of 15 seconds is broken by a comment', async () => {
  const stream = await open(apis[0], abebe);
  await until('the comment', () => stream.text().includes(': still here\n\n'), 30_000);
  expect(stream.ended()).toBe(false);
}, 40_000);
