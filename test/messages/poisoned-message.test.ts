import { v7 as uuidv7 } from 'uuid';
import { sqlOf } from '../../src/database.ts';
import { assignRows } from '../../src/dispatches/assign-rows.ts';
import { messageRows } from '../../src/messages/message-rows.ts';
import { createTextSealer } from '../../src/messages/sealer.ts';
import { storeMessages } from '../../src/messages/store-messages.ts';
import { createSubmitDueMessages } from '../../src/messages/submission/submit-due-messages.ts';
import { createTestHash } from '../helpers/hash-number.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});

afterAll(() => db.drop());

test('a message that cannot be ended holds up neither others that end nor those that are to be sent', async () => {
  const { organizationId } = await createTenant(db.database);
  const createdAt = new Date();
  const drafts = Array.from({ length: 6 }, (_, index) => ({
    ...{ id: uuidv7(), organizationId, environment: 'live' as const, sender: null },
    ...{ recipient: '+251911234567', text: 'Selam', encoding: 'gsm7' as const, segments: 1, metadata: {} },
    ...{ webhookUrl: null, createdAt },
    validUntil: new Date(createdAt.getTime() + (index < 3 ? -1 : 3_600_000)),
  }));
  const ids = drafts.map(({ id }) => id);
  await storeMessages(sqlOf(db.database), drafts);
  const { dispatchId } = (await assignRows(sqlOf(db.database), messageRows, ids))!;
  await db.query(`create function refuse_row() returns trigger language plpgsql as $$
    begin raise exception 'refused' using errcode = '22P05'; end $$`);
  await db.query(`create trigger refuse_row before update on messages for each row
    when (new.id = '${ids[0]!}' and new.status = 'failed') execute function refuse_row()`);

  const gateway = {
    submit: () => Promise.resolve({ outcome: 'accepted' as const, queued: false }),
    close: () => Promise.resolve(),
  };
  const submitDue = createSubmitDueMessages({
    outcomeGathering: { fromItems: 4, waitMs: 0 },
    ...{ database: db.database, gateways: { live: gateway, test: gateway } },
    ...{
      sealer: createTextSealer({ pepper: 'x'.repeat(32) }),
      doubtSeconds: 60,
      attemptSeconds: 4,
      submissionConcurrency: 8,
    },
    ...{ startWebhooks: () => undefined, now: () => new Date(), hashNumber: createTestHash(db.database) },
  });
  const context = { heartbeat: () => undefined, stopping: () => false };
  await expect(submitDue(dispatchId, context)).rejects.toMatchObject({ code: '22P05' });
  const rows = await db.query<{ status: string }>('select status from messages order by id');
  expect(rows.map(({ status }) => status)).toEqual([
    'queued',
    'failed',
    'failed',
    'accepted',
    'accepted',
    'accepted',
  ]);
});
