import { sql } from 'kysely';
import type { Sql } from '../../database.ts';
import type { HashNumber } from '../../privacy/number-hash.ts';
import { recordset } from '../../recordset.ts';
import { countUses, judgeMessages, lockCounts } from '../../sending-controls/count-within-caps.ts';
import type { Cap } from '../../sending-controls/sending-caps.ts';
import { toCounted } from '../store-capped-messages.ts';
import { isHeld, isUncounted } from './claim-due-messages.ts';

/**
 * How long a message waits at a cap until its workflow looks again, unless the hour or day of the cap ends sooner. So it
 * goes on within five minutes after an administrator has raised the cap.
 */
const maxWaitMs = 300_000;

/**
 * Counts the due messages of a dispatch within the caps of their organizations, those that are due first before the
 * others. Messages for which there is room may then be claimed; the others are postponed, and nothing is lost.
 *
 * If the process dies, either nothing has happened or messages are counted and wait for their claim. The counts are
 * locked before the messages are read, so of two workers the second finds nothing to count.
 *
 * @param waiting.organizationIds the organizations of the dispatch that have caps: `postponeHeldMessages`
 */
export async function admitCappedMessages(
  db: Sql,
  waiting: { dispatchId: string; organizationIds: string[]; now: Date },
  hashNumber: HashNumber,
): Promise<void> {
  const { organizationIds, now } = waiting;
  await db.transaction().execute(async (transaction) => {
    await lockCounts(transaction, organizationIds);
    const messages = await readUncounted(transaction, waiting);
    if (messages.length === 0) return;
    const counted = await Promise.all(
      messages.map((message) => toCounted({ ...message, createdAt: now }, hashNumber)),
    );
    const verdicts = await judgeMessages(transaction, counted);
    await writeVerdicts(
      transaction,
      messages.map(({ id }, index) => {
        const verdict = verdicts[index]!;
        if (verdict.isWithin) return { id, caps: verdict.caps, dueAt: null };
        const waitUntilMs = Math.min(verdict.reached.windowEnd.getTime(), now.getTime() + maxWaitMs);
        return { id, caps: null, dueAt: new Date(waitUntilMs) };
      }),
    );
  });
}

async function readUncounted(
  db: Sql,
  { dispatchId, organizationIds, now }: { dispatchId: string; organizationIds: string[]; now: Date },
): Promise<{ id: string; organizationId: string; recipient: string }[]> {
  const { rows } = await sql<{ id: string; organizationId: string; recipient: string }>`
    select id, organization_id as "organizationId", recipient from messages
    where dispatch_id = ${dispatchId} and status = 'queued' and due_at <= ${now} and valid_until > ${now}
      and organization_id = any (${organizationIds}::uuid[]) and ${isUncounted(now)} and not ${isHeld}
    order by due_at, id
  `.execute(db);
  return rows;
}

/** A message with the caps that it counts for, or the time until which it waits. */
interface Verdict {
  id: string;
  caps: Cap[] | null;
  dueAt: Date | null;
}

async function writeVerdicts(db: Sql, verdicts: Verdict[]): Promise<void> {
  await sql`
    with verdict as materialized (
      select * from ${recordset(verdicts, 'verdict', { id: 'uuid', caps: 'json', dueAt: 'timestamptz' })}
    ), changed as (
      update messages set
        cap_counted = case when verdict.caps is not null then true end,
        due_at = case when "dueAt" is null then due_at else least("dueAt", valid_until) end
      from verdict
      where messages.id = verdict.id and status = 'queued' and attempts = 0 and cap_counted is null
      returning messages.id, organization_id
    )
    ${countUses(sql`
      select organization_id, caps from changed join verdict using (id) where caps is not null
    `)}
  `.execute(db);
}
