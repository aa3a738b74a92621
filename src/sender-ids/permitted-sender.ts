import { sql, type RawBuilder } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Sql } from '../database.ts';
import { ApiError } from '../errors.ts';
import { normalizeSender } from './sender-value.ts';

/** The built-in sender of messages of test keys. It needs no approval and is never live. */
export const testSender = 'TEST';

/** The condition that a row of `sender_ids`, under this alias, is an approved sender. No other may be used. */
export function isApprovedSender(alias: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${alias}.status`)} = 'approved'`;
}

/**
 * The single rule that decides which sender may be used, as an SQL expression that is null if no sender may be used. It
 * is the wanted sender, if it is approved for the organization. If no sender is wanted, it is the organization's
 * default. In `test` the built-in sender may be used too, and it is the default of an organization that has no other.
 *
 * @param request SQL expressions; `wanted` is a sender as `normalizeSender` returns it, or null
 */
export function permittedSender(request: {
  organizationId: RawBuilder<unknown>;
  environment: RawBuilder<unknown>;
  wanted: RawBuilder<unknown>;
}): RawBuilder<string | null> {
  const { organizationId, environment, wanted } = request;
  return sql<string | null>`coalesce(
    (
      select sender_ids.value from sender_ids
      where sender_ids.organization_id = ${organizationId} and ${isApprovedSender('sender_ids')}
        and case when ${wanted} is null then sender_ids.is_default else sender_ids.value = ${wanted} end
    ),
    case when ${environment} = 'test' and coalesce(${wanted}, ${testSender}) = ${testSender} then ${testSender} end
  )`;
}

/** The organization whose senders may be used, and the environment. */
export type SenderOwner = Pick<Principal, 'organizationId' | 'environment'>;

/**
 * Finds the sender that may be used according to `permittedSender`.
 *
 * @param wanted a sender as `normalizeSender` returns it; null requests the default
 */
export async function findPermittedSender(
  db: Sql,
  { organizationId, environment }: SenderOwner,
  wanted: string | null,
): Promise<string | null> {
  const sender = permittedSender({
    organizationId: sql`${organizationId}::uuid`,
    environment: sql`${environment}::text`,
    wanted: sql`${wanted}::text`,
  });
  const { rows } = await sql<{ sender: string | null }>`select ${sender} as sender`.execute(db);
  return rows[0]!.sender;
}

/**
 * Checks the field `sender` of a resource that sends messages later, if it is set.
 *
 * @returns the sender in the form in which it was approved
 * @throws ApiError sender_not_approved if the sender may not be used
 */
export async function readSender(db: Sql, owner: SenderOwner, given: string | null): Promise<string | null> {
  if (given === null) return null;
  const sender = await findPermittedSender(db, owner, normalizeSender(given));
  if (sender !== null) return sender;
  throw new ApiError('sender_not_approved', 'The sender is not approved for this organization.', {
    errors: [{ path: '/body/sender', code: 'sender_not_approved', message: 'is not an approved sender' }],
  });
}
