import { sql, type RawBuilder } from 'kysely';
import type { Environment } from '../../principal.ts';
import { destinationPrefix } from './destination-prefix.ts';

/**
 * The subquery for when the hold of security codes to a recipient ends, as text; null if there is none. It reads one
 * entry of an index that contains only open alarms. Test codes are never held, because they reach no phone.
 *
 * @param recipient E.164
 */
export function heldUntil(
  {
    organizationId,
    environment,
    recipient,
  }: {
    organizationId: string;
    environment: Environment;
    recipient: string;
  },
  at: Date,
): RawBuilder<string | null> {
  return sql`(
    select ends_at from security_code_alarms
    where organization_id = ${organizationId} and prefix = ${destinationPrefix(recipient)} and ended_at is null
      and holds and ends_at > ${at}::timestamptz and ${environment}::text = 'live'
  )`;
}
