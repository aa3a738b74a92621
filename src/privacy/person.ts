import { sql, type RawBuilder } from 'kysely';
import { lowestTimeOrderedId } from '../time-ordered-id.ts';

/** The person whose data an erasure erases. */
export interface Person {
  /** Whose data it is; null for the inbound messages of the platform, which belong to no organization. */
  organizationId: string | null;
  /** E.164. */
  phoneNumber: string;
  numberHash: string;
  /** What takes the place of the number. */
  mask: string;
  /** A regular expression that finds the number in texts, and the digits that each match has without separators. */
  pattern: string;
  digits: string;
  requestedAt: Date;
  /** Whether a message of the person has arrived and was not routed to an organization yet. */
  isBeingRouted: boolean;
}

/**
 * An erasure erases what was stored before this time after its request: then what was being sent at the request is
 * included. It is no block on the number. Whoever sends to it again, days later, stores it again.
 */
const includedMs = 3_600_000;

/** The id before which rows belong to the erasure. */
export function endOfErasure({ requestedAt }: Person): string {
  return lowestTimeOrderedId(new Date(requestedAt.getTime() + includedMs));
}

/** The condition for the rows of whoever erases: an organization, or the platform, whose rows have none. */
export function ofOwner({ organizationId }: Person): RawBuilder<unknown> {
  return organizationId === null ? sql`organization_id is null` : sql`organization_id = ${organizationId}`;
}
