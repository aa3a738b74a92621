import { sql } from 'kysely';
import type { DiscardingProgress } from '../../workflows/contract.ts';
import { sqlOf, type Database, type Sql } from '../database.ts';
import { stayWithin } from '../organizations/organization-scope.ts';
import { lowestTimeOrderedId } from '../time-ordered-id.ts';
import { pageThroughParts } from './page-through-parts.ts';
import {
  maskRecipients,
  retentionSteps,
  type Counter,
  type RetentionPeriods,
  type RetentionStep,
} from './retention-steps.ts';

/** The number of rows that one page examines. */
export const rowsPerPage = 1000;

const dayMs = 24 * 3_600_000;

/**
 * Each day begins this long before the place where the day before ended: for rows that were not final then, for example
 * after an outage, and for deliveries that were redriven.
 */
const overlapMs = 14 * dayMs;

/** How long after a page the sweep restarts a retention whose next page does not follow. */
const nextPageMs = 5 * 60_000;

interface LockedRules extends RetentionPeriods, Record<Counter, number> {
  id: string;
  step: number;
  cursor: string | null;
  cursors: Record<string, string>;
}

/**
 * Creates the function that the activity runs: it discards the next page of what an organization no longer keeps, in
 * one transaction that also moves the cursor and the counts. Ids are in the order of time, so a page begins where the
 * one before ended, and the cost of a day does not depend on how much is stored. The row of the rules is locked, so
 * concurrent calls run one after the other.
 *
 * @returns null if the organization has no rules
 */
export function createRetentionPage(dependencies: {
  database: Database;
  now: () => Date;
  /** The number of rows of a page, for tests. */
  rows?: number;
}): (organizationId: string) => Promise<DiscardingProgress | null> {
  const { database, now, rows = rowsPerPage } = dependencies;
  return async (organizationId) =>
    sqlOf(database)
      .transaction()
      .execute(async (db) => {
        await stayWithin(db, [organizationId]);
        const rules = await lockRules(db, organizationId);
        if (!rules) return null;
        const step = retentionSteps.slice(rules.step).find(({ period }) => rules[period] !== null);
        if (!step) return finish(db, rules, now());
        const place = retentionSteps.indexOf(step);
        const before = new Date(now().getTime() - rules[step.period]! * dayMs);
        const cursor = place === rules.step && rules.cursor !== null ? rules.cursor : startOf(rules, step);
        const page = { organizationId, cursor, before, rows };
        const { changed, ...next } = await (step.discard
          ? discardPage(db, step, step.discard, page)
          : maskPage(db, step, page));
        await store(db, rules, { step, place, changed, ...next });
        return { status: 'running', waitingFor: null, counts: countsOf(rules, step.counter, changed) };
      });
}

const columnOf: Record<Counter, string> = {
  messageTexts: 'message_texts',
  messageNumbers: 'message_numbers',
  inboundMessages: 'inbound_messages',
  webhookBodies: 'webhook_bodies',
};

async function lockRules(db: Sql, organizationId: string): Promise<LockedRules | undefined> {
  const { rows } = await sql<LockedRules>`
    select id, text_days as "textDays", number_days as "numberDays", inbound_days as "inboundDays",
      webhook_body_days as "webhookBodyDays", step, cursor, cursors, message_texts as "messageTexts",
      message_numbers as "messageNumbers", inbound_messages as "inboundMessages",
      webhook_bodies as "webhookBodies"
    from retention_rules where id = ${organizationId} for no key update
  `.execute(db);
  return rows[0];
}

async function store(
  db: Sql,
  { id, cursors }: LockedRules,
  page: DiscardedPage & { step: RetentionStep; place: number },
): Promise<void> {
  const { step, place, changed, cursor, last, isDone } = page;
  const counter = sql.ref(columnOf[step.counter]);
  // Ids of one length are in the order of time as texts too. A day that found nothing does not move the end back.
  const end = [cursors[step.name] ?? last, last].toSorted().at(-1);
  await sql`
    update retention_rules set
      step = ${isDone ? place + 1 : place}, cursor = ${isDone ? null : cursor},
      cursors = cursors || ${JSON.stringify(isDone ? { [step.name]: end } : {})}::jsonb,
      ${counter} = ${counter} + ${changed},
      -- By the real clock, like the sweep.
      wake_at = ${new Date(Date.now() + nextPageMs)}
    where id = ${id}
  `.execute(db);
}

/** Where a step begins on a new day. */
function startOf({ cursors }: LockedRules, { name }: RetentionStep): string {
  const last = cursors[name];
  return lowestTimeOrderedId(new Date(last === undefined ? 0 : timeOfId(last) - overlapMs));
}

/** The time of a UUIDv7, in milliseconds. */
function timeOfId(id: string): number {
  return Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
}

interface WantedPage {
  organizationId: string;
  cursor: string;
  before: Date;
  rows: number;
}

/** `cursor` is where the next page begins, and `last` the last row of the step's table that was examined. */
interface DiscardedPage {
  changed: number;
  cursor: string;
  last: string;
  isDone: boolean;
}

async function discardPage(
  db: Sql,
  step: RetentionStep,
  discard: NonNullable<RetentionStep['discard']>,
  page: WantedPage,
): Promise<DiscardedPage> {
  const ids = await readPage(db, step, page);
  const changed = ids.length > 0 ? await discard(db, ids, page.before) : 0;
  const last = ids.at(-1) ?? page.cursor;
  return { changed, cursor: last, last, isDone: ids.length < page.rows };
}

/** A batch has up to a hundred thousand recipients, so a page is some of them. */
async function maskPage(db: Sql, step: RetentionStep, page: WantedPage): Promise<DiscardedPage> {
  const nextId = async (after: string) => (await readPage(db, step, { ...page, cursor: after, rows: 1 }))[0];
  const { changed, cursor, lastId, isDone } = await pageThroughParts(page.cursor, page.rows, nextId, (part) =>
    maskRecipients(db, part),
  );
  return { changed, cursor, last: lastId, isDone };
}

async function readPage(db: Sql, { table, within }: RetentionStep, page: WantedPage): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)}
    where organization_id = ${page.organizationId} and ${within}
      and id > ${page.cursor} and id < ${lowestTimeOrderedId(page.before)}
    order by id limit ${page.rows}
  `.execute(db);
  return rows.map(({ id }) => id);
}

async function finish(db: Sql, rules: LockedRules, now: Date): Promise<DiscardingProgress> {
  await sql`
    update retention_rules set step = 0, cursor = null, last_run_at = ${now}, wake_at = ${new Date(Date.now() + dayMs)}
    where id = ${rules.id}
  `.execute(db);
  return { status: 'completed', waitingFor: null, counts: countsOf(rules) };
}

function countsOf(rules: LockedRules, counter?: Counter, changed = 0): Record<string, number> {
  const { messageTexts, messageNumbers, inboundMessages, webhookBodies } = rules;
  const counts: Record<Counter, number> = { messageTexts, messageNumbers, inboundMessages, webhookBodies };
  if (counter) counts[counter] += changed;
  return counts;
}
