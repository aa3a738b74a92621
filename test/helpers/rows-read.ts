import { sql, type RawBuilder } from 'kysely';
import { sqlOf, type Database } from '../../src/database.ts';

interface PlanNode {
  Plan?: PlanNode;
  Plans?: PlanNode[];
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
}

/** Runs a statement, and returns how many rows of a table it read, including the rows that it filtered out. */
export async function countRowsRead(
  database: Database,
  table: string,
  statement: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{
    'QUERY PLAN': PlanNode[];
  }>`explain (analyze, format json) ${statement}`.execute(sqlOf(database));
  return rowsReadOf(rows[0]!['QUERY PLAN'][0]!, table);
}

function rowsReadOf(node: PlanNode, table: string): number {
  const own =
    node['Relation Name'] === table
      ? (node['Actual Rows']! + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']!
      : 0;
  return [node.Plan, ...(node.Plans ?? [])].reduce(
    (sum, child) => sum + (child ? rowsReadOf(child, table) : 0),
    own,
  );
}
