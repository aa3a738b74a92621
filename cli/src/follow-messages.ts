import type { ListMessagesQuery, ListMessagesResponse, Message } from 'sms-service-client';

/** A message reached a status. */
export interface StatusChange {
  at: string;
  status: Message['status'];
  message: Message;
}

/** Finds what changed since the last look. */
export interface Follower {
  /** Returns the changes since the last poll, in the order of their times. */
  poll: () => Promise<StatusChange[]>;
  /** Whether at most one poll has succeeded. */
  isFirst: () => boolean;
}

/**
 * How far back each poll looks, from the newest message. A message is committed some milliseconds after its time of
 * creation, so newer ones may be seen before it.
 */
const overlapMs = 3_000;

/** The older open messages that one poll looks at. They take turns. */
const maxSingles = 20;

/**
 * Creates a follower. The API has no stream of messages, so it reads the newest part of the list. A status that a
 * message passed between two polls is known from its timestamps.
 *
 * @param options.since shows what was created since then; undefined shows only what happens from now on
 */
export function createFollower(options: {
  since: string | undefined;
  listPage: (query: ListMessagesQuery) => Promise<ListMessagesResponse>;
  get: (id: string) => Promise<Message | undefined>;
}): Follower {
  const { since, listPage, get } = options;
  /** What was last seen of each message that is open or newer than `createdFrom`. */
  let known = new Map<string, Message>();
  let createdFrom = since;
  let polls = 0;
  return {
    isFirst: () => polls <= 1,
    poll: async () => {
      const isBaseline = polls === 0 && since === undefined;
      const seen = await readNewest(isBaseline);
      const older = await readOlder([...known.values()].filter(({ id }) => !seen.has(id)));
      const changes = isBaseline
        ? []
        : [...older.read, ...seen.values()].flatMap((message) => changesOf(known.get(message.id), message));
      known = new Map(
        [...older.next, ...seen.values()]
          .filter(({ status, createdAt }) => !isFinal(status) || createdAt >= (createdFrom ?? ''))
          .map((message) => [message.id, message]),
      );
      polls += 1;
      return changes.sort((one, other) => one.at.localeCompare(other.at));
    },
  };

  /** Reads what was created since the last poll, or, to begin with, one page. */
  async function readNewest(isBaseline: boolean): Promise<Map<string, Message>> {
    const seen = new Map<string, Message>();
    let cursor: string | undefined;
    do {
      const { data, pagination } = await listPage({
        limit: 200,
        ...(createdFrom !== undefined && { createdFrom }),
        ...(cursor !== undefined && { cursor }),
      });
      data.forEach((message) => seen.set(message.id, message));
      cursor = pagination.nextCursor ?? undefined;
    } while (cursor !== undefined && !isBaseline);
    const newest = [...seen.values()][0];
    if (newest !== undefined) {
      createdFrom = new Date(Date.parse(newest.createdAt) - overlapMs).toISOString();
    }
    return seen;
  }

  /** Reads some of the older messages that are open. Those that were not read are first the next time. */
  async function readOlder(messages: Message[]): Promise<{ read: Message[]; next: Message[] }> {
    const open = messages.filter(({ status }) => !isFinal(status));
    const read: Message[] = [];
    for (const { id } of open.slice(0, maxSingles)) {
      const message = await get(id);
      if (message !== undefined) read.push(message);
    }
    return { read, next: [...open.slice(maxSingles), ...read] };
  }
}

function isFinal(status: Message['status']): boolean {
  return status === 'delivered' || status === 'failed' || status === 'cancelled';
}

/** The statuses that a message reached since it was last seen; all of them if it was not. */
function changesOf(before: Message | undefined, message: Message): StatusChange[] {
  if (before?.status === message.status) return [];
  const reached = before === undefined ? [] : stepsOf(before).map(({ status }) => status);
  return stepsOf(message)
    .filter(({ status }) => !reached.includes(status))
    .map((step) => ({ ...step, message }));
}

function stepsOf(message: Message): { at: string; status: Message['status'] }[] {
  const { createdAt, acceptedAt, sentAt, deliveredAt, failedAt, status } = message;
  const steps = {
    queued: createdAt,
    accepted: acceptedAt,
    sent: sentAt,
    delivered: deliveredAt,
    failed: failedAt,
  };
  const taken = Object.entries(steps).flatMap(([name, at]) =>
    at === null ? [] : [{ at, status: name as Message['status'] }],
  );
  // A cancelled message has no time of its cancellation.
  return status === 'cancelled' ? [...taken, { at: new Date().toISOString(), status }] : taken;
}
