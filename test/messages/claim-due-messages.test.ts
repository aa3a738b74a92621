import * as fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { sqlOf } from '../../src/database.ts';
import { assignRows } from '../../src/dispatches/assign-rows.ts';
import { isSharedDispatch } from '../../src/dispatches/is-shared-dispatch.ts';
import { messageRows } from '../../src/messages/message-rows.ts';
import { storeMessages } from '../../src/messages/store-messages.ts';
import { claimDueMessages } from '../../src/messages/submission/claim-due-messages.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let organizationIds: string[];

beforeAll(async () => {
  db = await createTestDatabase();
  const tenants = [];
  for (let index = 0; index < 4; index += 1) tenants.push(await createTenant(db.database));
  organizationIds = tenants.map(({ organizationId }) => organizationId);
});

afterAll(() => db.drop());

/** Stores a dispatch with this number of messages of each organization, those of the first one before the others. */
async function storeDispatch(counts: readonly number[]): Promise<{ dispatchId: string; ids: string[] }> {
  const createdAt = new Date();
  const drafts = counts.flatMap((count, index) =>
    Array.from({ length: count }, () => ({
      ...{
        id: uuidv7(),
        organizationId: organizationIds[index]!,
        environment: 'live' as const,
        sender: null,
      },
      ...{ recipient: '+251911234567', text: 'Selam', encoding: 'gsm7' as const, segments: 1, metadata: {} },
      ...{ webhookUrl: null, createdAt, validUntil: new Date(createdAt.getTime() + 3_600_000) },
    })),
  );
  await storeMessages(sqlOf(db.database), drafts);
  const ids = drafts.map(({ id }) => id);
  const { dispatchId } = (await assignRows(sqlOf(db.database), messageRows, ids))!;
  return { dispatchId, ids };
}

async function claim(dispatchId: string, limit: number): Promise<{ id: string; organizationId: string }[]> {
  const claimed = {
    dispatchId,
    isShared: await isSharedDispatch(sqlOf(db.database), 'messages', dispatchId),
  };
  return claimDueMessages(sqlOf(db.database), { ...claimed, now: new Date(), limit, claimSeconds: 90 });
}

function countByOrganization(rows: { organizationId: string }[]): number[] {
  return organizationIds.map((id) => rows.filter(({ organizationId }) => organizationId === id).length);
}

test('a claim takes as many messages of each organization, however many one of them has', async () => {
  const { dispatchId } = await storeDispatch([100, 3, 1]);
  expect(countByOrganization(await claim(dispatchId, 8))).toEqual([4, 3, 1, 0]);
  expect(countByOrganization(await claim(dispatchId, 8))).toEqual([8, 0, 0, 0]);
});

test('the messages of one organization are claimed in the order in which they are due', async () => {
  const { dispatchId, ids } = await storeDispatch([20, 1]);
  const first = await claim(dispatchId, 5);
  const second = await claim(dispatchId, 5);
  const own = [...first, ...second].filter(({ organizationId }) => organizationId === organizationIds[0]);
  expect(own.map(({ id }) => id).toSorted()).toEqual(ids.slice(0, 9));
});

test('no claim prefers an organization, and every message is claimed once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 4, maxLength: 4 }),
      fc.integer({ min: 1, max: 40 }),
      async (counts, limit) => {
        if (counts.every((count) => count === 0)) return;
        const { dispatchId, ids } = await storeDispatch(counts);
        const left = [...counts];
        const claimed: string[] = [];
        for (;;) {
          const rows = await claim(dispatchId, limit);
          if (rows.length === 0) break;
          claimed.push(...rows.map(({ id }) => id));
          const taken = countByOrganization(rows);
          taken.forEach((count, index) => (left[index]! -= count));
          // Whoever still has messages got at most one fewer than any other.
          const most = Math.max(...taken);
          taken.forEach((count, index) => left[index]! > 0 && expect(count).toBeGreaterThanOrEqual(most - 1));
        }
        expect(claimed.toSorted()).toEqual(ids.toSorted());
      },
    ),
    { numRuns: 15 },
  );
});

test('messages that must not be sent take no turn from those that can', async () => {
  const { dispatchId, ids } = await storeDispatch([6, 2]);
  await db.query(
    `update messages set recipient = '+251911000000' where id = any(string_to_array(?, ',')::uuid[])`,
    [ids.slice(0, 4).join()],
  );
  await db.query(
    `insert into suppressions (id, organization_id, phone_number, source, created_at)
     values (?, ?, '+251911000000', 'operator', now())`,
    [uuidv7(), organizationIds[0]!],
  );
  expect(countByOrganization(await claim(dispatchId, 4))).toEqual([2, 2, 0, 0]);
});

test('claims at the same time share the messages', async () => {
  const { dispatchId, ids } = await storeDispatch([40, 20, 20]);
  const claimed: string[] = [];
  while (claimed.length < ids.length) {
    const rounds = await Promise.all(Array.from({ length: 4 }, () => claim(dispatchId, 8)));
    claimed.push(...rounds.flat().map(({ id }) => id));
  }
  expect(claimed.toSorted()).toEqual(ids.toSorted());
});
