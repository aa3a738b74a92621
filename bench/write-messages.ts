import { sql } from 'kysely';
import { sqlOf, type Database } from '../src/database.ts';
import { updateStatuses } from '../src/messages/update-statuses.ts';
import { draftMessage } from '../src/messages/draft-message.ts';
import { storeMessages } from '../src/messages/store-messages.ts';
import { asTenants } from '../src/organizations/organization-scope.ts';

/** The milliseconds that each step of a message's life took in each round. */
export type Timings = Record<(typeof steps)[number], number[]>;
export const steps = ['stored', 'claimed', 'updated'] as const;

export function emptyTimings(): Timings {
  return { stored: [], claimed: [], updated: [] };
}

/** Updates messages through all statuses, in groups of a given size, and records the time of each step. */
export async function writeMessages(
  database: Database,
  organizationId: string,
  size: number,
  rounds: number,
  took: Timings,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const drafts = Array.from({ length: size }, () => {
      const to = `+2519${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
      return draftMessage({ organizationId, environment: 'live' }, { to, text: 'Selam' }, [], new Date());
    });
    const ids = drafts.map(({ id }) => id);
    let startedAt = performance.now();
    await asTenants(database, [organizationId], (db) => storeMessages(db, drafts));
    took.stored.push(performance.now() - startedAt);
    startedAt = performance.now();
    // The assignment to a dispatch and the claim of the attempt. Neither changes a counted column.
    await sql`update messages set dispatch_id = ${ids[0]} where id = any(${ids}::uuid[])`.execute(
      sqlOf(database),
    );
    await sql`update messages set attempts = 1, outcome_unknown = true where id = any(${ids}::uuid[])`.execute(
      sqlOf(database),
    );
    took.claimed.push(performance.now() - startedAt);
    startedAt = performance.now();
    for (const transition of [
      { kind: 'accepted_by_gateway' },
      { kind: 'report', report: 'smsc_accepted', providerMessageId: null },
      { kind: 'report', report: 'delivered', providerMessageId: null },
    ] as const) {
      await updateStatuses(
        database,
        ids.map((messageId) => ({
          messageId,
          at: new Date(),
          transition,
          event: { kind: 'report_received', details: {} },
        })),
      );
    }
    took.updated.push(performance.now() - startedAt);
  }
}
