import { sql } from 'kysely';
import { foldCounts } from '../src/analytics/fold-counts.ts';
import { rollUpDays } from '../src/analytics/roll-up-days.ts';
import { sqlOf, type Database } from '../src/database.ts';

/**
 * Stores what each message of `fillMessages` would have left behind: four entries of its timeline, its dispatch, a
 * delivered webhook, an idempotency key and its counts. Keys live for a day, so this is the most that there can be.
 */
export async function fillHistory(database: Database): Promise<void> {
  const db = sqlOf(database);
  await sql`
    insert into message_events (organization_id, message_id, at, kind, status, details)
    select organization_id, messages.id, created_at + n * interval '1 second', kind, entry.status, details::jsonb
    from messages cross join (values
      (0, 'queued', 'queued', '{}'),
      (1, 'submission_attempted', null, '{"attempt": 1, "possibleDuplicate": false}'),
      (2, 'submission_answered', 'accepted', '{"outcome": "accepted"}'),
      (3, 'report_received', 'delivered', '{"report": "delivered"}')
    ) entry (n, kind, status, details)
    order by messages.id, n`.execute(db);
  await sql`
    insert into dispatches (id, kind, organization_ids, created_at, wake_at, started_at, settled_at)
    select id, 'messages', array[organization_id], created_at, created_at, created_at, created_at from messages
    order by id`.execute(db);
  await sql`
    insert into webhook_deliveries (id, organization_id, environment, message_id, event, position, url, body, status,
      attempts, created_at, delivered_at, dispatch_id)
    select id, organization_id, environment, id, 'message.delivered', 2, 'https://hooks.example.com/sms',
      '{"event": "message.delivered"}', 'delivered', 1, created_at, created_at, id
    from messages order by id`.execute(db);
  await sql`
    insert into idempotency_keys (organization_id, environment, route, key, digest, status, body, created_at)
    select organization_id, environment, 'POST /api/v1/messages', id::text, sha256(id::text::bytea), 202,
      json_build_object('id', id, 'text', text, 'status', 'queued')::text, now()
    from messages order by id`.execute(db);
  while ((await foldCounts(database)) === 'more');
  while ((await rollUpDays(database, new Date())) === 'more');
  await sql`vacuum analyze`.execute(db);
}
