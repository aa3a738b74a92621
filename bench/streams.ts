import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { v7 as uuidv7 } from 'uuid';
import { sqlOf, type Database } from '../src/database.ts';
import { openDatabase } from '../src/open-database.ts';
import type { NotificationEvent } from '../src/notifications/notification-kinds.ts';
import { recordNotifications } from '../src/notifications/record-notifications.ts';
import { startService, type RunningService } from './service.ts';

/** The memory limit of an API process with 1,000 streams. */
const limitMegabytes = 300;

/** The number of events for one person each, and the number of events for all. */
const [single, toAll] = [500, 10];

/**
 * Opens notification streams in one API process, one for each person, and notifies people through the database as the
 * service does. Measures the memory of the process, and the time from the commit until the event is read. Options: the
 * number of streams (1000).
 */
export async function streamsBench([count = '1000']: string[]): Promise<void> {
  const service = await startService({ ORGANIZATION_RATE_LIMIT_PER_MINUTE: '1000000' });
  try {
    await measure(service, Number(count));
  } finally {
    const startedAt = performance.now();
    await service.stop();
    report('stopping, with all streams open', performance.now() - startedAt, 'ms');
  }
}

async function measure(service: RunningService, count: number): Promise<void> {
  const { demo } = service;
  const database = await openDatabase({ url: demo.databaseUrl, poolSize: 2 });
  try {
    const people = await makePeople(database, demo.organizationId, count);
    const before = await megabytes(service);
    report('API process before, RSS', before, 'MB');
    const arrivals = new Map<string, (at: number) => void>();
    const openedAt = performance.now();
    for (let index = 0; index < count; index += 50) {
      await Promise.all(people.slice(index, index + 50).map(({ token, userId }) => open(userId, token)));
    }
    report(`${count} streams opened in`, performance.now() - openedAt, 'ms');

    async function open(userId: string, token: string): Promise<void> {
      const sent = request(`${demo.baseUrl}/api/v1/notifications/stream`, {
        agent: new Agent(),
        headers: { Authorization: `Bearer ${token}` },
      }).end();
      const [response] = await once(sent, 'response');
      if (response.statusCode !== 200)
        throw new Error(`The response to a stream was ${response.statusCode}.`);
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const at = performance.now();
        for (const [, subject] of chunk.matchAll(/"subjectId":"([^"]+)"/g))
          arrivals.get(subject + userId)?.(at);
      });
      response.on('error', () => undefined);
    }

    /** Notifies people of one event each, in one transaction. Returns the times from commit to arrival, in ms. */
    async function notify(recipients: Person[]): Promise<number[]> {
      const events = recipients.map(({ userId }) => eventFor(userId, demo.organizationId));
      const arrived = events.map(
        ({ subjectId, personId }) =>
          new Promise<number>((resolve) => arrivals.set(subjectId + personId!, resolve)),
      );
      await sqlOf(database)
        .transaction()
        .execute((transaction) => recordNotifications(transaction, events, new Date()));
      const committedAt = performance.now();
      return (await Promise.all(arrived)).map((at) => Math.max(0, at - committedAt));
    }

    const singles: number[] = [];
    for (let index = 0; index < single; index += 1) {
      singles.push(...(await notify([people[(index * 7) % count]!])));
    }
    report('commit to arrival at one, p50', percentile(singles, 50), 'ms');
    report('commit to arrival at one, p95', percentile(singles, 95), 'ms');
    const all: number[] = [];
    for (let round = 0; round < toAll; round += 1) all.push(...(await notify(people)));
    report(`commit to arrival at all ${count}, p50`, percentile(all, 50), 'ms');
    report(`commit to arrival at all ${count}, p95`, percentile(all, 95), 'ms');
    const after = await megabytes(service);
    report('API process with all streams open, RSS', after, 'MB');
    const [busySeconds, lookMs] = [await cpuSeconds(service), 10_000];
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    const share = ((await cpuSeconds(service)) - busySeconds) / (lookMs / 1000);
    report('its share of a core when idle', share * 100, '%');
    report('of which the streams take', after - before, 'MB');
    if (count <= 1000 && after > limitMegabytes)
      throw new Error(`The process uses more than ${limitMegabytes} MB.`);
  } finally {
    await database.close();
  }
}

interface Person {
  userId: string;
  token: string;
}

/** Creates members of an organization who are signed in. */
async function makePeople(database: Database, organizationId: string, count: number): Promise<Person[]> {
  const people = Array.from({ length: count }, () => ({ userId: uuidv7(), token: `bench-${uuidv7()}` }));
  await database.em.fork().execute(
    `with person as (select * from json_to_recordset(?::json) as person("userId" uuid, "token" text)),
    signed_up as (
      insert into users (id, name, email, email_verified, role, banned, created_at, updated_at)
      select "userId", 'Bench', "userId" || '@example.com', true, 'user', false, now(), now() from person
    ), joined as (
      insert into members (id, organization_id, user_id, role, created_at)
      select gen_random_uuid(), ?, "userId", 'member', now() from person
    )
    insert into sessions (id, user_id, token, expires_at, created_at, updated_at)
    select gen_random_uuid(), "userId", encode(sha256(token::bytea), 'hex'), now() + interval '1 day', now(), now() from person`,
    [JSON.stringify(people), organizationId],
  );
  return people;
}

function eventFor(userId: string, organizationId: string): NotificationEvent {
  const id = uuidv7();
  return {
    ...{ kind: 'batch_completed', organizationId, personId: userId, subjectId: id, occurrence: id },
    ...{ title: 'Bulk batch of Spring completed', body: 'All messages have been handed to the gateway.' },
    data: { bulkSmsId: id, status: 'completed' },
  };
}

async function megabytes(service: RunningService): Promise<number> {
  const status = await readFile(`/proc/${service.processId('api')}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)![1]) / 1024;
}

/** The CPU time of the API process so far. */
async function cpuSeconds(service: RunningService): Promise<number> {
  const fields = (await readFile(`/proc/${service.processId('api')}/stat`, 'utf8'))
    .split(') ')[1]!
    .split(' ');
  // utime and stime, of 100 ticks a second (proc(5)).
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function percentile(values: number[], percent: number): number {
  return values.toSorted((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor((values.length * percent) / 100))
  ]!;
}

function report(what: string, value: number, unit: string): void {
  process.stdout.write(`${what.padEnd(46)} ${value.toFixed(1).padStart(8)} ${unit}\n`);
}
