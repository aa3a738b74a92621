import { sql, type RawBuilder } from 'kysely';
import type { ScopedEntityManager } from '../organizations/organization-scope.ts';
import { SecurityCode } from './security-code.entity.ts';

/** Finds the id of the last code that was sent to a number for a purpose; null if none was sent. */
export async function findLastCode(
  em: ScopedEntityManager,
  recipient: string,
  purpose: string,
): Promise<string | null> {
  const code = await em.findOne(
    SecurityCode,
    { recipient, purpose },
    { orderBy: { createdAt: 'desc', id: 'desc' }, fields: ['id'] },
  );
  return code?.id ?? null;
}

/** Part of a statement: the number that a code has verified, as `recipient`, and when, as `verified_at`; or no row. */
export function numberVerifiedBy(verificationId: string): RawBuilder<unknown> {
  return sql`(
    select recipient, verified_at from security_codes where id = ${verificationId} and status = 'verified'
  )`;
}
