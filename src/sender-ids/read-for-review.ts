import type { EntityManager } from '@mikro-orm/postgresql';
import type { InferResult } from 'kysely';
import type { ApiKey } from '../api-keys/api-key.entity.ts';
import type { User } from '../auth/user.entity.ts';
import { tablesOf } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import type { Organization } from '../organizations/organization.entity.ts';
import { toSenderIdRecord } from './sender-id-record.ts';
import type { SenderId } from './sender-id.entity.ts';

/** A sender ID as administrators see it, with the names of its organization and its requester. */
export type ReviewedSenderIdRecord = Schemas['ReviewedSenderId'];

/** Selects sender IDs across organizations, newest first. For administrators, who add conditions and a limit. */
export function selectForReview(em: EntityManager) {
  return tablesOf<typeof SenderId | typeof Organization | typeof User | typeof ApiKey>(em)
    .selectFrom('SenderId')
    .innerJoin('Organization', 'Organization.id', 'SenderId.organization')
    .leftJoin('User', (join) =>
      join.on('SenderId.requestedByKind', '=', 'user').onRef('User.id', '=', 'SenderId.requestedById'),
    )
    .leftJoin('ApiKey', (join) =>
      join.on('SenderId.requestedByKind', '=', 'api_key').onRef('ApiKey.id', '=', 'SenderId.requestedById'),
    )
    .selectAll('SenderId')
    .select(['Organization.name as organizationName', 'User.email as requesterEmail'])
    .select(({ fn }) => fn.coalesce('User.name', 'ApiKey.name').as('requesterName'))
    .orderBy('SenderId.id', 'desc');
}

export function toReviewedRecord(
  row: InferResult<ReturnType<typeof selectForReview>>[number],
): ReviewedSenderIdRecord {
  const { organizationName, requesterName: name, requesterEmail: email } = row;
  const record = toSenderIdRecord({ ...row, organization: { id: row.organization } });
  const requestedBy = record.requestedBy && { ...record.requestedBy, name, email };
  return { ...record, requestedBy, organizationName };
}
