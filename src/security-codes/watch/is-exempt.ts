import { sql, type RawBuilder } from 'kysely';

/**
 * The condition that a row is exempt from the watch, by its organization or its prefix.
 *
 * @param row the table or alias of a row with `organization_id` and `prefix`
 */
export function isExempt(
  row: string,
  settings: { exemptOrganizationIds: readonly string[]; exemptPrefixes: readonly string[] },
): RawBuilder<boolean> {
  const [organizationIds, prefixes] = [[...settings.exemptOrganizationIds], [...settings.exemptPrefixes]];
  return sql`(
    ${sql.ref(`${row}.organization_id`)} = any(${organizationIds}::uuid[])
    or exists (
      select from unnest(${prefixes}::text[]) exempt where starts_with(${sql.ref(`${row}.prefix`)}, exempt)
    )
  )`;
}
