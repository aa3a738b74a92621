import { sql } from 'kysely';
import type { DiscardingProgress } from '../../workflows/contract.ts';
import { sqlOf, type Database, type Sql } from '../database.ts';
import type { Sealer } from '../messages/sealer.ts';
import { stayWithin } from '../organizations/organization-scope.ts';
import { toDate, type Stored } from '../stored-rows.ts';
import { firstStepAfterWaiting, erasureSteps } from './erasure-steps.ts';
import { findRemains, isBeingRouted } from './find-remains.ts';
import type { WaitingFor } from './erasure.entity.ts';
import { maskNumber, nationalDigits, patternOfNumber } from './number-pattern.ts';
import type { Person } from './person.ts';
import { platformErasureSteps } from './platform-erasure-steps.ts';

/** The number of rows that one page examines. */
export const rowsPerPage = 2000;

/** How long after a page the sweep restarts an erasure whose next page does not follow; waiting takes ten minutes. */
const [nextPageMs, nextCheckMs] = [5 * 60_000, 30 * 60_000];

interface LockedErasure {
  id: string;
  /** Null for an erasure of the platform. */
  organizationId: string | null;
  numberHash: string;
  sealedNumber: string | null;
  step: number;
  cursor: string | null;
  erased: Record<string, number>;
  createdAt: Date;
  completedAt: Date | null;
}

/**
 * Creates the function that the activity runs: it erases the next page, in one transaction that also moves the cursor
 * and the counts. The row of the erasure is locked, so concurrent calls run one after the other. The steps run in the
 * order of `erasureSteps`; when they have ended and something of the number is left, which was being stored meanwhile,
 * they begin anew.
 *
 * @returns null if the erasure does not exist, for example after a backup was restored
 */
export function createErasurePage(dependencies: {
  database: Database;
  numberSealer: Sealer;
  now: () => Date;
  /** The number of rows of a page, for tests. */
  rows?: number;
}): (erasureId: string) => Promise<DiscardingProgress | null> {
  const { database, numberSealer, now, rows = rowsPerPage } = dependencies;
  return async (erasureId) =>
    sqlOf(database)
      .transaction()
      .execute(async (db) => {
        const erasure = await lockErasure(db, erasureId);
        if (!erasure) return null;
        const { organizationId, sealedNumber, step, cursor, erased } = erasure;
        if (sealedNumber === null) return { status: 'completed', waitingFor: null, counts: erased };
        const person = await readPerson(db, erasure, numberSealer.unseal(erasureId, sealedNumber));
        if (organizationId !== null) await stayWithin(db, [organizationId]);
        const steps = organizationId === null ? platformErasureSteps : erasureSteps;
        const current = steps[step];
        if (!current) {
          const isLeft = await findRemains(db, person);
          const again = organizationId === null ? 0 : firstStepAfterWaiting;
          return isLeft
            ? store(db, erasure, { step: again, cursor: null, waitingFor: null, changed: {} })
            : complete(db, erasure, now());
        }
        const page = await current(db, person, { cursor, rows });
        if ('waitingFor' in page) {
          return store(db, erasure, { step, cursor: null, waitingFor: page.waitingFor, changed: {} });
        }
        const isDone = page.cursor === null;
        const next = { step: isDone ? step + 1 : step, cursor: page.cursor, waitingFor: null };
        return store(db, erasure, { ...next, changed: page.changed });
      });
}

/** Reads beyond the wall whether a message of the person is about to reach the organization. */
async function readPerson(db: Sql, erasure: LockedErasure, phoneNumber: string): Promise<Person> {
  const { organizationId, numberHash, createdAt } = erasure;
  return {
    ...{ organizationId, phoneNumber, numberHash },
    mask: maskNumber(phoneNumber),
    pattern: patternOfNumber(phoneNumber),
    digits: nationalDigits(phoneNumber),
    requestedAt: createdAt,
    isBeingRouted: await isBeingRouted(db, phoneNumber),
  };
}

async function lockErasure(db: Sql, id: string): Promise<LockedErasure | undefined> {
  const { rows } = await sql<Stored<LockedErasure>>`
    select id, organization_id as "organizationId", encode(number_hash, 'hex') as "numberHash",
      encode(sealed_number, 'base64') as "sealedNumber", step, cursor, erased, created_at as "createdAt",
      completed_at as "completedAt"
    from erasures where id = ${id} for no key update
  `.execute(db);
  return (
    rows[0] && { ...rows[0], createdAt: toDate(rows[0].createdAt), completedAt: toDate(rows[0].completedAt) }
  );
}

async function store(
  db: Sql,
  { id, erased }: LockedErasure,
  next: {
    step: number;
    cursor: string | null;
    waitingFor: WaitingFor | null;
    changed: Record<string, number>;
  },
): Promise<DiscardingProgress> {
  const { step, cursor, waitingFor, changed } = next;
  const status = waitingFor === null ? 'running' : 'waiting';
  const counts = { ...erased };
  for (const [table, rows] of Object.entries(changed)) {
    if (rows > 0) counts[table] = (counts[table] ?? 0) + rows;
  }
  await sql`
    update erasures set status = ${status}, waiting_for = ${waitingFor}, step = ${step}, cursor = ${cursor},
      erased = ${JSON.stringify(counts)}::jsonb,
      -- By the real clock, like the sweep.
      wake_at = ${new Date(Date.now() + (waitingFor === null ? nextPageMs : nextCheckMs))}
    where id = ${id}
  `.execute(db);
  return { status, waitingFor, counts };
}

/** From here on the service itself no longer knows the number. */
async function complete(db: Sql, { id, erased }: LockedErasure, at: Date): Promise<DiscardingProgress> {
  await sql`
    update erasures set status = 'completed', waiting_for = null, completed_at = ${at}, wake_at = null,
      sealed_number = null
    where id = ${id}
  `.execute(db);
  return { status: 'completed', waitingFor: null, counts: erased };
}
