/**
 * Puts a table of organizations behind row-level security: docs/decisions/two-walls-between-organizations.md. Work for
 * organizations runs under the role `sms_tenant`, which sees only the rows of the organizations that its transaction
 * names. A table without a grant cannot be reached from there at all. Migrations that have run contain this text, so it
 * is as final as they are.
 *
 * @param rights what use cases do with the table; the rest is done by the worker, or for people and not organizations
 * @param column the column that contains the organization
 * @returns the statements
 */
export function behindWall(table: string, rights: string, column = 'organization_id'): string {
  return `
      grant ${rights} on ${table} to sms_tenant;
      alter table ${table} enable row level security;
      create policy of_organization on ${table} to sms_tenant
        using (${column} = any (${organizationIds})) with check (${column} = any (${organizationIds}));
  `;
}

/** The organizations that the transaction names; none, if it names none. Read once a statement, not once a row. */
const organizationIds = `(select string_to_array(nullif(current_setting('app.organization_ids'::text, true), ''::text), ','::text) as string_to_array)::uuid[]`;
