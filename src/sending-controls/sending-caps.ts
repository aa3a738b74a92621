import type { Schemas } from '../http/contract/contract-types.ts';

/** The caps on the live messages of one organization, whoever has set them; null where there is none. */
export interface SendingCaps {
  messagesPerHour: number | null;
  recipientMessagesPerHour: number | null;
  recipientMessagesPerDay: number | null;
  prefixCaps: Schemas['PrefixCap'][] | null;
  /** The limit of new organizations; null too if the organization is not new, or if the limit is lifted for it. */
  newOrganizationMessagesPerDay: number | null;
  /** When the organization is no longer new, if that limit applies. */
  newUntil: Date | null;
}

/** A cap on a message: how many there may be in the hour or the day. */
export interface Cap {
  /** What the cap counts. All messages with the same scope count together. */
  scope: string;
  limit: number;
  windowStart: Date;
  windowEnd: Date;
}

/** A live message that is counted within the caps. */
export interface CountedMessage {
  organizationId: string;
  /** E.164. */
  recipient: string;
  /** The keyed hash of the recipient: `hashNumber`. Counts do not keep the number itself. */
  recipientHash: string;
  /** When the message counts. */
  at: Date;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The scopes that do not depend on a message. */
export const organizationScope = 'organization';
export const newOrganizationScope = 'new organization';
export const scopeOfPrefix = (prefix: string): string => `prefix ${prefix}`;

const scopeOfRecipient = (hash: string): string => `recipient ${hash}`;
const scopeOfRecipientByDay = (hash: string): string => `recipient by day ${hash}`;

/** Returns the caps that a message counts for. */
export function capsOn(
  message: Pick<CountedMessage, 'recipient' | 'recipientHash' | 'at'>,
  caps: SendingCaps,
): Cap[] {
  const { recipient, recipientHash, at } = message;
  const prefixCaps = (caps.prefixCaps ?? []).filter(({ prefix }) => recipient.startsWith(prefix));
  return [
    capInHour(organizationScope, caps.messagesPerHour, at),
    capInHour(scopeOfRecipient(recipientHash), caps.recipientMessagesPerHour, at),
    capInDay(scopeOfRecipientByDay(recipientHash), caps.recipientMessagesPerDay, at),
    ...prefixCaps.map(({ prefix, messagesPerHour }) => capInHour(scopeOfPrefix(prefix), messagesPerHour, at)),
    capInDay(newOrganizationScope, caps.newOrganizationMessagesPerDay, at),
  ].filter((cap) => cap !== null);
}

/** Says what a cap allows, in a sentence for the caller who has reached it. */
export function describeCap({ scope, limit, windowStart, windowEnd }: Cap): string {
  const window = windowEnd.getTime() - windowStart.getTime() === hourMs ? 'an hour' : 'a day (UTC)';
  return `At most ${limit} live messages ${objectOf(scope)} are allowed in ${window}.`;
}

function objectOf(scope: string): string {
  if (scope === organizationScope) return 'of the organization';
  if (scope === newOrganizationScope) return 'of a new organization';
  const [kind, prefix] = scope.split(' ');
  return kind === 'prefix' ? `to numbers with ${prefix}` : 'to this number';
}

/** Returns the cap in the hour (UTC) of a moment; null without a limit. */
export function capInHour(scope: string, limit: number | null, at: Date): Cap | null {
  return capInWindow(scope, limit, at, hourMs);
}

/** The same in the day (UTC). */
export function capInDay(scope: string, limit: number | null, at: Date): Cap | null {
  return capInWindow(scope, limit, at, dayMs);
}

function capInWindow(scope: string, limit: number | null, at: Date, windowMs: number): Cap | null {
  if (limit === null) return null;
  const startMs = Math.floor(at.getTime() / windowMs) * windowMs;
  return { scope, limit, windowStart: new Date(startMs), windowEnd: new Date(startMs + windowMs) };
}

/** The key of a count in the map of uses. */
export function keyOfCount(organizationId: string, { scope, windowStart }: Omit<Cap, 'limit' | 'windowEnd'>) {
  return `${organizationId} ${windowStart.toISOString()} ${scope}`;
}

/** Whether a message is within its caps. */
export type CapVerdict =
  /** `caps` are those that it counts for. */
  | { isWithin: true; caps: Cap[] }
  /** `reached` is the cap that leaves no room for the longest time. */
  | { isWithin: false; reached: Cap };

/**
 * Decides which messages are within their caps, in order: a message counts for all of its caps or for none, so that one
 * that is refused by a cap takes no room of another.
 *
 * @param used by `keyOfCount`, how many messages count already
 */
export function judgeByCaps(
  messages: readonly { organizationId: string; caps: Cap[] }[],
  used: ReadonlyMap<string, number>,
): CapVerdict[] {
  const counts = new Map(used);
  return messages.map(({ organizationId, caps }) => {
    const usedOf = (cap: Cap) => counts.get(keyOfCount(organizationId, cap)) ?? 0;
    const [first, ...others] = caps.filter((cap) => usedOf(cap) >= cap.limit);
    if (first) {
      const reached = others.reduce(
        (latest, cap) => (cap.windowEnd > latest.windowEnd ? cap : latest),
        first,
      );
      return { isWithin: false, reached };
    }
    for (const cap of caps) counts.set(keyOfCount(organizationId, cap), usedOf(cap) + 1);
    return { isWithin: true, caps };
  });
}
