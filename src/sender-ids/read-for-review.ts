import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../database.ts';
import type { Schemas } from '../http/contract-types.ts';
import { toSenderIdRecord } from './sender-id-record.ts';

/** A sender ID as administrators see it, with the names of its organization and its requester. */
export type ReviewedSenderIdRecord = Schemas['ReviewedSenderId'];

type Row = Omit<ReviewedSenderIdRecord, 'warnings' | 'requestedBy'> & {
  requestedByKind: 'api_key' | 'user' | null;
  requestedById: string | null;
  requesterName: string | null;
  requesterEmail: string | null;
};

/**
 * Reads sender IDs across organizations, newest first. For administrators.
 *
 * @param condition a condition on `sender_ids` and `organizations`
 */
export async function readForReview(
  db: Sql,
  condition: RawBuilder<unknown>,
  limit: number,
): Promise<ReviewedSenderIdRecord[]> {
  const { rows } = await sql<Row>`
    select sender_ids.id, sender_ids.organization_id as "organizationId", organizations.name as "organizationName", value,
      status, is_default as "isDefault", use_case as "useCase", sample_message as "sampleMessage", website,
      review_reason as "reviewReason", reviewed_at as "reviewedAt", requested_by_kind as "requestedByKind",
      requested_by_id as "requestedById", coalesce(users.name, api_keys.name) as "requesterName",
      users.email as "requesterEmail", sender_ids.created_at as "createdAt"
    from sender_ids
    join organizations on organizations.id = sender_ids.organization_id
    left join users on requested_by_kind = 'user' and users.id = requested_by_id
    left join api_keys on requested_by_kind = 'api_key' and api_keys.id = requested_by_id
    where ${condition}
    order by sender_ids.id desc limit ${limit}
  `.execute(db);
  return rows.map(toRecord);
}

function toRecord(row: Row): ReviewedSenderIdRecord {
  const { organizationName, requesterName: name, requesterEmail: email } = row;
  const record = toSenderIdRecord({
    ...row,
    organization: { id: row.organizationId },
    reviewedAt: row.reviewedAt === null ? null : new Date(row.reviewedAt),
    createdAt: new Date(row.createdAt),
  });
  const requestedBy = record.requestedBy && { ...record.requestedBy, name, email };
  return { ...record, requestedBy, organizationName };
}
