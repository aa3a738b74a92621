import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../principal.ts';
import { tablesOf, type Database } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { normalizeRecipient } from '../messages/recipient.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import type { HashNumber } from '../privacy/number-hash.ts';
import { recordConsent } from './record-consent.ts';
import { toSuppressionRecord, type SuppressionRecord } from './suppression-record.ts';
import type { Suppression } from './suppression.entity.ts';

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
  hashNumber: HashNumber,
): Promise<{ record: SuppressionRecord; isNew: boolean }> {
  const number = normalizeRecipient(input.phoneNumber);
  if (!number.ok) {
    throw new ApiError('invalid_recipient', `No message can be sent to this number: ${number.reason}.`, {
      errors: [{ path: '/body/phoneNumber', code: 'invalid_recipient', message: number.reason }],
    });
  }
  // An update that changes nothing returns the existing row, even a row inserted at this very moment. `do nothing`
  // would not return it.
  const numberHash = await hashNumber(number.e164);
  const { isNew, organization, ...suppression } = await asTenant(database, principal, async (em) => {
    const stored = await tablesOf<typeof Suppression>(em)
      .insertInto('Suppression')
      .values({
        id: uuidv7(),
        organization: principal.organizationId,
        phoneNumber: number.e164,
        reason: input.reason ?? null,
        source: 'operator',
        createdAt: new Date(),
      })
      .onConflict((conflict) =>
        conflict
          .columns(['organization', 'phoneNumber', 'source'])
          .doUpdateSet({ phoneNumber: (row) => row.ref('excluded.phoneNumber') }),
      )
      .returning(['id', 'organization', 'phoneNumber', 'reason', 'source', 'createdAt'])
      .returning(sql<boolean>`xmax = 0`.as('isNew'))
      .executeTakeFirstOrThrow();
    const { organizationId, actor } = principal;
    const fact = { organizationId, numberHash, kind: 'opted_out', source: 'operator', actor } as const;
    if (stored.isNew) await recordConsent(em.getKysely(), [fact], stored.createdAt);
    return stored;
  });
  return { record: toSuppressionRecord({ ...suppression, organizationId: organization }), isNew };
}
