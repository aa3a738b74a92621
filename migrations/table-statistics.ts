/*
 * What the planner is told of large tables. Migrations that have run contain these texts, so they are as final as they
 * are.
 */

/**
 * Storage parameters of a table that grows and that foreign keys refer to: it is not analysed while it is tiny.
 *
 * PostgreSQL checks a foreign key by a statement whose plan each connection keeps. Made when statistics say that the
 * table is a page or two, it reads the table whole, and goes on doing so while a hundred thousand rows are written,
 * until the next analysis throws it away: of 100,000 members of a phonebook each check read all contacts, which took
 * minutes. Of a table that was never analysed the planner assumes ten pages, and takes the index.
 */
export const notAnalysedWhileTiny = `
        autovacuum_analyze_threshold = 2000,
        autovacuum_vacuum_threshold = 2000,
        autovacuum_vacuum_insert_threshold = 2000`;

/**
 * Lets the planner expect that the policy of a table leaves out nothing, which is true.
 *
 * The policy says `organization_id = any (…)` of an array that the planner cannot see into. It takes that for ten
 * organizations of however many there are, on top of the condition that names one, and so expects a single row of all
 * but the largest: then all indexes look alike, and it picks the wrong one.
 */
export function expectFewOrganizations(table: string): string {
  return `alter table ${table} alter column organization_id set (n_distinct = 5);`;
}

/** What the planner knows of organizations by name comes from the most common values: it keeps more of them. */
export function knowMoreOrganizations(table: string): string {
  return `alter table ${table} alter column organization_id set statistics 1000;`;
}
