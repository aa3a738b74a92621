/** What a place is taken for: the two who may not have all of them. */
export interface PlaceHolder {
  /** Scheme, host and port of the webhook's URL. */
  origin: string;
  organizationId: string;
}

/** The requests to webhooks that one worker process may have under way, over all its dispatches. */
export interface RequestPlaces {
  /** Takes a place, if the host, the organization and the process have one left. */
  take: (holder: PlaceHolder) => boolean;
  /**
   * Gives a place back.
   *
   * @param durationMs how long the request took, from which waiting times are guessed; null if none was made
   */
  release: (holder: PlaceHolder, durationMs: number | null) => void;
  /**
   * Queues deliveries that got no place.
   *
   * @returns milliseconds after which it is worth asking again
   */
  queue: (origin: string, deliveries: number) => number;
}

/** Of the places of a process, those that one organization may hold: names are cheap, so hosts alone bound nobody. */
const organizationShare = 0.5;

/** How long a request takes until the host has shown it. */
const guessedDurationMs = 1_000;
/** The weight of the newest duration in the average. */
const newestWeight = 0.2;

/** The least and the most that a delivery without a place is put off at a time. */
const leastWaitMs = 250;
const mostWaitMs = 5 * 60_000;

/**
 * Makes the places of a process. A receiver that is slow to answer fills its own host's places and no others;
 * what is due there beyond them waits in the database, holding neither a claim nor an activity.
 *
 * The queue is a guess of when a place will be free, in the order of asking: without it, thousands of waiting
 * dispatches would all ask again each second. A guess that was wrong costs a wait or a question, no more.
 *
 * @param options.total places of the process
 * @param options.perHost places of one origin
 */
export function createRequestPlaces(options: {
  total: number;
  perHost: number;
  nowMs?: () => number;
}): RequestPlaces {
  const { total, perHost, nowMs = () => performance.now() } = options;
  const perOrganization = Math.max(1, Math.ceil(total * organizationShare));
  const hosts = new Map<string, { underWay: number; averageMs: number; queueEndsAtMs: number }>();
  const organizations = new Map<string, number>();
  let underWay = 0;

  return {
    take: ({ origin, organizationId }) => {
      const host = hosts.get(origin) ?? { underWay: 0, averageMs: guessedDurationMs, queueEndsAtMs: 0 };
      const held = organizations.get(organizationId) ?? 0;
      if (underWay >= total || host.underWay >= perHost || held >= perOrganization) return false;
      host.underWay += 1;
      hosts.set(origin, host);
      organizations.set(organizationId, held + 1);
      underWay += 1;
      return true;
    },
    release: ({ origin, organizationId }, durationMs) => {
      const host = hosts.get(origin)!;
      const held = organizations.get(organizationId)! - 1;
      underWay -= 1;
      host.underWay -= 1;
      if (durationMs !== null) host.averageMs += newestWeight * (durationMs - host.averageMs);
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
      host.queueEndsAtMs = beginsAtMs + (deliveries * host.averageMs) / perHost;
      return Math.min(Math.max(beginsAtMs - now, leastWaitMs), mostWaitMs);
    },
  };
}
