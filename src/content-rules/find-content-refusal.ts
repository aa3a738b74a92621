import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import type { Environment } from '../principal.ts';
import { contentRefusal } from './content-conditions.ts';

/** Returns the reason of the rule that refuses a text; null if none does. */
export async function findContentRefusal(
  db: Sql,
  { organizationId, environment, text }: { organizationId: string; environment: Environment; text: string },
): Promise<string | null> {
  const { rows } = await sql<{ reason: string | null }>`
    select ${contentRefusal({
      organizationId: 'message.organization_id',
      environment: 'message.environment',
      text: 'message.text',
    })} as reason
    from (
      select ${organizationId}::uuid as organization_id, ${environment}::text as environment, ${text}::text as text
    ) message
  `.execute(db);
  return rows[0]!.reason;
}
