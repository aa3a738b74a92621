/** What a place is taken for: the two who may not have all of them. */
export interface SlotHolder {
  /** Scheme, host and port of the webhook's URL. */
  origin: string;
  organizationId: string;
}

/** The requests to webhooks that one worker process may have under way, over all its dispatches. */
export interface RequestSlots {
  /** Whether the host, the organization and the process have a place left. */
  hasRoom: (holder: SlotHolder) => boolean;
  /** Takes a place, if there is one left. */
  take: (holder: SlotHolder) => boolean;
  /**
   * Gives a place back.
   *
   * @param durationMs how long the request took, from which waiting times are guessed; null if none was made
   */
  release: (holder: SlotHolder, durationMs: number | null) => void;
  /**
   * Queues deliveries that got no place.
   *
   * @returns milliseconds after which it is worth asking again
   */
  queue: (origin: string, deliveries: number) => number;
}

/** Of the places of a process, those that one organization may hold: names are cheap, so hosts alone bound nobody. */
const organizationShare = 0.5;

/** How long a request takes until the host has shown otherwise, by its answers or by giving none. */
const guessedDurationMs = 10;
/** The weight of the newest duration in the average. */
const newestWeight = 0.2;

/** The least and the most that a delivery without a place is put off at a time. */
const leastWaitMs = 250;
const mostWaitMs = 60_000;

/**
 * Makes the places of a process. A receiver that is slow to answer fills its own host's places and no others;
 * what is due there beyond them waits in the database, holding neither a claim nor an activity.
 *
 * The queue is a guess of when a place will be free, in the order of asking: without it, thousands of waiting
 * dispatches would all ask again each second. A guess that was wrong costs a wait or a question, no more: a
 * host is taken for fast, and for as slow as it has kept us waiting for any answer.
 *
 * @param options.total places of the process
 * @param options.perHost places of one origin
 */
export function createRequestSlots(options: {
  total: number;
  perHost: number;
  nowMs?: () => number;
}): RequestSlots {
  const { total, perHost, nowMs = () => performance.now() } = options;
  const perOrganization = Math.max(1, Math.ceil(total * organizationShare));
  const hosts = new Map<string, Host>();
  const organizations = new Map<string, number>();
  let underWay = 0;

  const hasRoom = ({ origin, organizationId }: SlotHolder): boolean =>
    underWay < total &&
    (hosts.get(origin)?.underWay ?? 0) < perHost &&
    (organizations.get(organizationId) ?? 0) < perOrganization;

  return {
    hasRoom,
    take: (holder) => {
      if (!hasRoom(holder)) return false;
      const { origin, organizationId } = holder;
      const host = hosts.get(origin) ?? newHost(nowMs());
      host.underWay += 1;
      hosts.set(origin, host);
      organizations.set(organizationId, (organizations.get(organizationId) ?? 0) + 1);
      underWay += 1;
      return true;
    },
    release: ({ origin, organizationId }, durationMs) => {
      const host = hosts.get(origin)!;
      const held = organizations.get(organizationId)! - 1;
      underWay -= 1;
      host.underWay -= 1;
      if (durationMs !== null) {
        host.averageMs += newestWeight * (durationMs - host.averageMs);
        host.answeredAtMs = nowMs();
      }
      // A host without requests has no queue either, so nothing is left to know of it.
      if (host.underWay === 0) hosts.delete(origin);
      if (held === 0) organizations.delete(organizationId);
      else organizations.set(organizationId, held);
    },
    queue: (origin, deliveries) => {
      const host = hosts.get(origin);
      if (!host) return leastWaitMs;
      const now = nowMs();
      const beginsAtMs = Math.max(now, host.queueEndsAtMs);
      const durationMs = Math.max(host.averageMs, now - host.answeredAtMs);
      host.queueEndsAtMs = Math.min(beginsAtMs + (deliveries * durationMs) / perHost, now + mostWaitMs);
      return Math.max(beginsAtMs - now, leastWaitMs);
    },
  };
}

/** A host with requests under way. */
interface Host {
  underWay: number;
  averageMs: number;
  /** When its last request ended, or its first began. */
  answeredAtMs: number;
  queueEndsAtMs: number;
}

function newHost(nowMs: number): Host {
  return { underWay: 0, averageMs: guessedDurationMs, answeredAtMs: nowMs, queueEndsAtMs: nowMs };
}
