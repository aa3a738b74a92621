import { sql } from 'kysely';
import type { Sql } from '../database.ts';
import type { Environment } from '../principal.ts';
import { recordset } from '../recordset.ts';
import { lowestTimeOrderedId } from '../time-ordered-id.ts';
import type { Owner } from '../sender-ids/find-owners.ts';

/** The last message that an owner of a number sent from it to a phone. */
export interface LastSent extends Owner {
  messageId: string;
  environment: Environment;
  webhookUrl: string | null;
}

/**
 * Finds the last message that each owner of a number sent from it to a phone, latest first. Owners that sent nothing
 * are left out, and so are messages that certainly never arrived. Only live messages reach phones, so live messages
 * come before messages of test keys.
 *
 * @param options.since ignores older messages
 * @param options.environments the environments whose messages count
 * @param options.replies whether replies to inbound messages count too
 */
export async function findLastSent(
  db: Sql,
  owners: readonly Owner[],
  phone: string,
  options: { since: Date; environments: readonly Environment[]; replies: boolean },
): Promise<LastSent[]> {
  const { rows } = await sql<LastSent>`
    select last.* from ${recordset(owners, 'owner', { organizationId: 'uuid', sender: 'text' })}
    cross join lateral (
      select organization_id as "organizationId", messages.sender, id as "messageId", environment,
        webhook_url as "webhookUrl"
      from messages
      where organization_id = owner."organizationId" and environment = any(${options.environments}::text[]) and recipient = ${phone}
        and status in ('queued', 'accepted', 'sent', 'delivered', 'failed')
        and (status <> 'failed' or error_code = 'dlr_timeout') and id >= ${lowestTimeOrderedId(options.since)}
        and messages.sender = owner.sender ${options.replies ? sql`` : sql`and answers_inbound_id is null`}
      order by environment = 'live' desc, id desc limit 1
    ) last
    order by environment = 'live' desc, "messageId" desc
  `.execute(db);
  return rows;
}
