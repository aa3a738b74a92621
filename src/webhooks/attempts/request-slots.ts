/** The host and the organization that use a slot. Neither may use all slots. */
export interface SlotHolder {
  /** Scheme, host and port of the webhook's URL. */
  origin: string;
  organizationId: string;
}

/** The slots for concurrent webhook requests of one worker process, shared by all its dispatches. */
export interface RequestSlots {
  /** Whether the host, the organization and the process have a free slot. */
  hasRoom: (holder: SlotHolder) => boolean;
  /** Takes a slot if one is free. */
  take: (holder: SlotHolder) => boolean;
  /**
   * Releases a slot.
   *
   * @param durationMs how long the request took, used to estimate waiting times; null if no request was made
   */
  release: (holder: SlotHolder, durationMs: number | null) => void;
  /**
   * Queues deliveries that got no slot.
   *
   * @returns milliseconds after which to try again
   */
  queue: (origin: string, deliveries: number) => number;
}

/**
 * The share of a process's slots that one organization may hold. The limit per host is not enough: host names are
 * cheap, so an organization can use many hosts.
 */
const organizationShare = 0.5;

/** The estimated duration of a request before the host has responded or failed to respond. */
const guessedDurationMs = 10;
/** The weight of the newest duration in the average. */
const newestWeight = 0.2;

/** The shortest and the longest time by which a delivery without a slot is postponed at once. */
const leastWaitMs = 250;
const mostWaitMs = 60_000;

/**
 * Creates the slots of a process. A slow receiver fills only the slots of its own host. Its other due deliveries wait
 * in the database, without a claim or an activity.
 *
 * The queue estimates when a slot becomes free, in the order of requests. Without it, thousands of waiting dispatches
 * would all try again each second. A wrong estimate costs only a wait or an extra try. A host counts as fast at first,
 * and as slow as the time it has been silent.
 *
 * @param options.total slots of the process
 * @param options.perHost slots of one origin
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
      // A host without requests has no queue either, so its state is dropped.
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

/** A host with requests in progress. */
interface Host {
  underWay: number;
  averageMs: number;
  /** When its last request ended, or its first request began. */
  answeredAtMs: number;
  queueEndsAtMs: number;
}

function newHost(nowMs: number): Host {
  return { underWay: 0, averageMs: guessedDurationMs, answeredAtMs: nowMs, queueEndsAtMs: nowMs };
}
