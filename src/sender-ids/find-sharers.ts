import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../database.ts';
import { isApprovedSender } from './permitted-sender.ts';

/** Another organization that shares a short code. */
export interface Sharer {
  organizationId: string;
  shortCode: string;
}

/** Finds the approved short codes of an organization, in one order for all processes. */
export async function findShortCodes(db: Sql, organizationId: string): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select value from sender_ids
    where organization_id = ${organizationId} and ${isApprovedSender('sender_ids')} and ${isShortCode('sender_ids')}
    order by value collate "C"
  `.execute(db);
  return rows.map(({ value }) => value);
}

/** Whether a row of `sender_ids`, under this alias, is a short code: sender-value.ts. */
function isShortCode(alias: string): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(`${alias}.value`)} ~ '^[0-9]{3,8}$'`;
}

/**
 * Finds the organizations that share a short code with an organization, and the short code. The connection must be able
 * to see all organizations.
 */
export async function findSharers(db: Sql, organizationId: string): Promise<Sharer[]> {
  const { rows } = await sql<Sharer>`
    select other.organization_id as "organizationId", other.value as "shortCode"
    from sender_ids own
    join sender_ids other on other.value = own.value and other.organization_id <> own.organization_id
      and ${isApprovedSender('other')} and other.value ~ '^[+]?[0-9]+$'
    where own.organization_id = ${organizationId} and ${isApprovedSender('own')} and ${isShortCode('own')}
  `.execute(db);
  return rows;
}
