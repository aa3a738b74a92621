import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { Schemas } from '../http/contract-types.ts';
import { normalizeRecipient } from '../messages/recipient.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { toSuppressionRecord, type SuppressionRecord } from './suppression-record.ts';

/**
 * Puts a number on the organization's suppression list. An existing entry by an operator stays as it is, so that a
 * repeated or concurrent request returns the entry that applies. A recipient's STOP is a separate entry.
 *
 * Errors: invalid_recipient.
 */
export async function suppressNumber(
  database: Database,
  principal: Principal,
  input: Schemas['SuppressionInput'],
): Promise<{ record: SuppressionRecord; isNew: boolean }> {
  const number = normalizeRecipient(input.phoneNumber);
  if (!number.ok) {
    throw new ApiError('invalid_recipient', `No message can be sent to this number: ${number.reason}.`, {
      errors: [{ path: '/body/phoneNumber', code: 'invalid_recipient', message: number.reason }],
    });
  }
  const { organizationId } = principal;
  // An update that changes nothing returns the existing row, even a row inserted at this very moment. `do nothing`
  // would not return it.
  const statement = sql<{
    id: string;
    reason: string | null;
    created_at: string;
    is_new: boolean;
  }>`
    insert into suppressions (id, organization_id, phone_number, reason, source, created_at)
    values (${uuidv7()}, ${organizationId}, ${number.e164}, ${input.reason ?? null}, 'operator', ${new Date()})
    on conflict (organization_id, phone_number, source) do update set phone_number = excluded.phone_number
    returning id, reason, created_at, xmax = 0 as is_new
  `;
  const { rows } = await asTenant(database, principal, (em) => statement.execute(em.getKysely()));
  const { id, reason, created_at: createdAt, is_new: isNew } = rows[0]!;
  const phoneNumber = number.e164;
  return {
    record: toSuppressionRecord({
      id,
      organizationId,
      phoneNumber,
      reason,
      source: 'operator',
      createdAt: new Date(createdAt),
    }),
    isNew,
  };
}
