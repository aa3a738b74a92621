/** The host and the organization that use a slot. Neither may use all slots. */
export interface SlotHolder {
  /** Scheme, host and port of the webhook's URL. */
  origin: string;
  organizationId: string;
}

/** The slots for concurrent webhook requests of one worker process, shared by all its dispatches. */
export interface RequestSlots {
  /** Whether the host, the organization and the process have a free slot. */
  hasFreeSlot: (holder: SlotHolder) => boolean;
  /** Whether a host has requests in progress and answers them so fast that it is worth waiting for a slot. */
  isFast: (origin: string) => boolean;
  /**
   * Whether to claim deliveries for a host now. A fast host frees slots faster than a claim takes, so a claim waits
   * until it can fill half of them: it costs the same for one delivery as for many.
   */
  isWorthClaiming: (origin: string, waiting: number) => boolean;
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

/**
 * A host whose responses take less than this on average is fast, and gets more slots: most of the time for which a
 * delivery holds its slot is then the service's own.
 */
const fastMs = 100;
const fastHostFactor = 8;

/** How many hosts the process remembers while they have no requests: whether they are fast. */
const rememberedHosts = 1000;

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
 * @param options.perHost slots of one origin. An origin that has proved fast gets eight times as many, until it is slow
 *   or silent again
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

  const isFast = (host: Host): boolean => host.answers >= perHost && expectedMs(host, nowMs()) < fastMs;
  const freeSlotsOf = (origin: string): number => {
    const host = hosts.get(origin);
    return host ? (isFast(host) ? fastHostFactor * perHost : perHost) - host.underWay : perHost;
  };
  const hasFreeSlot = ({ origin, organizationId }: SlotHolder): boolean =>
    underWay < total && freeSlotsOf(origin) > 0 && (organizations.get(organizationId) ?? 0) < perOrganization;

  /** Drops what is known about the host that was first used, if it is idle and there are too many. */
  function forgetIdleHost(): void {
    if (hosts.size <= rememberedHosts) return;
    const [origin] = [...hosts].find(([, host]) => host.underWay === 0)!;
    hosts.delete(origin);
  }

  return {
    hasFreeSlot,
    isFast: (origin) => {
      const host = hosts.get(origin);
      return host !== undefined && host.underWay > 0 && isFast(host);
    },
    isWorthClaiming: (origin, waiting) => {
      const host = hosts.get(origin);
      return (
        !host || !isFast(host) || freeSlotsOf(origin) >= Math.min(waiting, (fastHostFactor * perHost) / 2)
      );
    },
    take: (holder) => {
      if (!hasFreeSlot(holder)) return false;
      const { origin, organizationId } = holder;
      const host = hosts.get(origin) ?? newHost(nowMs());
      if (host.underWay === 0) host.silentSinceMs = nowMs();
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
        host.answers += 1;
        host.silentSinceMs = nowMs();
      }
      if (host.underWay === 0) {
        host.queueEndsAtMs = nowMs();
        forgetIdleHost();
      }
      if (held === 0) organizations.delete(organizationId);
      else organizations.set(organizationId, held);
    },
    queue: (origin, deliveries) => {
      const host = hosts.get(origin);
      // A host without requests has no queue either.
      if (!host || host.underWay === 0) return leastWaitMs;
      const now = nowMs();
      const beginsAtMs = Math.max(now, host.queueEndsAtMs);
      const durationMs = expectedMs(host, now);
      host.queueEndsAtMs = Math.min(beginsAtMs + (deliveries * durationMs) / perHost, now + mostWaitMs);
      return Math.max(beginsAtMs - now, leastWaitMs);
    },
  };
}

/** What is known about a host. */
interface Host {
  underWay: number;
  /** How many requests have ended since the first. */
  answers: number;
  averageMs: number;
  /** When its last request ended, or the first one that is under way began. */
  silentSinceMs: number;
  queueEndsAtMs: number;
}

/** The expected duration of a request. A host that owes responses is at least as slow as its silence is long. */
function expectedMs({ underWay, averageMs, silentSinceMs }: Host, nowMs: number): number {
  return underWay === 0 ? averageMs : Math.max(averageMs, nowMs - silentSinceMs);
}

function newHost(nowMs: number): Host {
  return {
    underWay: 0,
    answers: 0,
    averageMs: guessedDurationMs,
    silentSinceMs: nowMs,
    queueEndsAtMs: nowMs,
  };
}
