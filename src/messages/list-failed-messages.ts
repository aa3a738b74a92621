import { sql } from 'kysely';
import { validate } from 'uuid';
import { workflowIdOf } from '../../workflows/contract.ts';
import { sqlOf, type Database } from '../database.ts';
import type { Inputs, Schemas } from '../http/contract/contract-types.ts';
import { toCursorPage, type CursorPage, type CursorQuery } from '../http/cursor.ts';
import { toIsoTime } from '../stored-rows.ts';

type FailedMessage = Schemas['FailedMessage'];

/**
 * Lists the failed messages of all organizations, or of one, newest first, without their texts. The cost depends on the
 * page size only: the indexes of redrives have nothing but failed messages, in this order. An unknown organization has
 * no messages. For administrators.
 */
export async function listFailedMessages(
  database: Database,
  { organizationId }: Pick<Inputs['listFailedMessages']['query'], 'organizationId'>,
  page: CursorQuery,
): Promise<CursorPage<FailedMessage>> {
  if (organizationId !== undefined && !validate(organizationId)) return toCursorPage([], page, toRecord);
  const { before, limit } = page;
  const { rows } = await sql<FailedRow>`
    select failed.id, organization_id as "organizationId", organizations.name as "organizationName", environment,
      sender as "from", recipient as "to", error_code as "errorCode", error_message as "errorMessage",
      bulk_batch_id as "bulkSmsId", dispatch_id as "dispatchId", failed.created_at as "createdAt",
      failed_at as "failedAt"
    from (
      select * from messages
      where status = 'failed' and ${organizationId === undefined ? sql`true` : sql`organization_id = ${organizationId}`}
        and ${
          // A redriven message is a little younger than its id says, so the position is both.
          before === null
            ? sql`true`
            : sql`(created_at, id) < (select created_at, id from messages where id = ${before})`
        }
      order by created_at desc, id desc limit ${limit + 1}
    ) failed join organizations on organizations.id = failed.organization_id
    order by failed.created_at desc, failed.id desc
  `.execute(sqlOf(database));
  return toCursorPage(rows, page, toRecord);
}

interface FailedRow extends Omit<FailedMessage, 'workflowId'> {
  dispatchId: string | null;
}

function toRecord({ dispatchId, ...row }: FailedRow): FailedMessage {
  return {
    ...row,
    workflowId: dispatchId && workflowIdOf('messages', dispatchId),
    createdAt: toIsoTime(row.createdAt),
    failedAt: toIsoTime(row.failedAt),
  };
}
