import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import type { NoticeListener } from '../notice-listener.ts';
import { recordset } from '../recordset.ts';
import type { EventStream } from '../streams/event-streams.ts';
import {
  notificationColumns,
  readerOf,
  toNotificationRecord,
  visibleNotifications,
  type NotificationRow,
  type Reader,
} from './notification-record.ts';
import { notificationChannel } from './record-notifications.ts';

/** For how many streams one statement reads, and how many notifications for each. */
const [streamsAtOnce, notificationsAtOnce] = [1000, 50];

/** The delay before a failed statement is retried: the database is or was unavailable. */
const retryMs = 250;

/** Feeds the streams of a process with notifications, including those that other processes created. */
export interface NotificationFeed {
  /** Sends a reader the notifications after a position, and then each new one, until the stream is closed. */
  follow: (stream: EventStream, reader: Reader, position: string) => void;
  stop: () => void;
}

interface Follower {
  stream: EventStream;
  reader: Reader;
  /** Everything up to this position has been sent. */
  position: string;
}

/**
 * Creates the feed. A notice says only that a person has something new. The notifications are then read from the table,
 * after the position of each of the person's streams. So the number, time and order of notices do not matter. A lost
 * notice is made up for by the next read, which also happens when a stream begins and when the connection listens
 * again.
 */
export function createNotificationFeed(dependencies: {
  database: Database;
  notices: NoticeListener;
  log: Log;
}): NotificationFeed {
  const { database, notices, log } = dependencies;
  const ofUser = new Map<string, Set<Follower>>();
  /** The followers for whom there may be something new. */
  const due = new Set<Follower>();
  let isReading = false;
  let isFailing = false;
  let isStopped = false;

  function look(followers: Iterable<Follower>): void {
    for (const follower of followers) due.add(follower);
    if (!isReading) void readDue();
  }

  async function readDue(): Promise<void> {
    isReading = true;
    while (due.size > 0 && !isStopped) {
      const turn = [...due].slice(0, streamsAtOnce);
      for (const follower of turn) due.delete(follower);
      // A follower that is behind is read again when it has caught up.
      const ready = turn.filter(({ stream }) => !stream.closed.aborted && !stream.isBehind);
      if (ready.length === 0) continue;
      try {
        send(ready, await readNew(database, ready));
        isFailing = false;
      } catch (error) {
        if (!isFailing) log.warn({ err: error }, 'cannot read notifications; will retry until it succeeds');
        isFailing = true;
        for (const follower of ready) due.add(follower);
        await setTimeout(retryMs);
      }
    }
    isReading = false;
  }

  function send(followers: Follower[], rows: NewRow[]): void {
    const sent = new Map<Follower, number>();
    for (const { number, position, ...row } of rows) {
      const follower = followers[number]!;
      follower.stream.send('notification', toNotificationRecord(row), position);
      follower.position = position;
      sent.set(follower, (sent.get(follower) ?? 0) + 1);
    }
    for (const [follower, count] of sent) if (count === notificationsAtOnce) due.add(follower);
  }

  function add(follower: Follower): void {
    const { stream, reader } = follower;
    const followers = ofUser.get(reader.userId) ?? new Set();
    ofUser.set(reader.userId, followers.add(follower));
    stream.onCaughtUp(() => look([follower]));
    stream.closed.addEventListener('abort', () => {
      followers.delete(follower);
      due.delete(follower);
      if (followers.size === 0 && ofUser.get(reader.userId) === followers) ofUser.delete(reader.userId);
    });
  }

  notices.subscribe({
    channel: notificationChannel,
    onListening: () => {
      for (const all of ofUser.values()) look(all);
    },
    onNotice: (userId) => look(ofUser.get(userId) ?? []),
  });
  return {
    follow: (stream, reader, position) => {
      if (stream.closed.aborted || isStopped) return;
      stream.sendId(position);
      const follower = { stream, reader, position };
      add(follower);
      // From now on notices reach the follower. What was committed before is read now; a notice announces what follows.
      look([follower]);
    },
    stop: () => {
      isStopped = true;
    },
  };
}

/**
 * Finds the position after which a stream begins: the last position that the client has seen, but at most the position
 * of the last notification that the person can see. A higher position would skip the next notifications. It occurs
 * after the database was restored from a dump, or if a client invents it. Without a position, the stream begins after
 * the last notification.
 *
 * @param seen Last-Event-ID; null: the client has seen none
 */
export async function findStart(database: Database, reader: Reader, seen: string | null): Promise<string> {
  const last = visibleNotifications(readerOf(reader), sql`true`, { order: 'desc', limit: 1 });
  // least() ignores null.
  const { rows } = await sql<{ position: string }>`
    select least(coalesce((select position from ${last} last), 0), ${seen}::bigint)::text as position
  `.execute(sqlOf(database));
  return rows[0]!.position;
}

type NewRow = NotificationRow & { number: number; position: string };

/** Reads the new notifications of each follower, in the order of their positions. */
async function readNew(database: Database, followers: Follower[]): Promise<NewRow[]> {
  const readers = followers.map(({ reader, position }, number) => ({ number, ...reader, position }));
  const visible = visibleNotifications(
    { userId: sql`reader."userId"`, organizationId: sql`reader."organizationId"` },
    sql`notifications.position > reader.position::bigint`,
    { order: 'asc', limit: notificationsAtOnce },
  );
  const { rows } = await sql<NewRow>`
    select number, fresh.position::text as position, ${notificationColumns}
    from ${recordset(readers, 'reader', {
      number: 'integer',
      userId: 'uuid',
      organizationId: 'uuid',
      position: 'text',
    })} cross join lateral ${visible} fresh
    order by number, fresh.position
  `.execute(sqlOf(database));
  return rows;
}
