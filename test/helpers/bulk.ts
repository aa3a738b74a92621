import { v7 as uuidv7 } from 'uuid';
import type { Answer, TestApi } from './api.ts';
import type { TestDatabase } from './databases.ts';

/** A campaign and a phonebook of an organization, and its caller. */
export interface BulkSetting {
  organizationId: string;
  campaignId: string;
  contactListId: string;
  key: string;
}

/** The phone number of the nth contact that `makeSetting` creates. */
export const numberOf = (index: number): string => `+2519${String(20_000_000 + index)}`;

/** Creates an active campaign and a phonebook of contacts. The nth contact is called `Name<n>` and has `points`. */
export async function makeSetting(
  api: TestApi,
  db: TestDatabase,
  { organizationId, key }: { organizationId: string; key: string },
  contacts: number,
): Promise<BulkSetting> {
  const make = async (path: string): Promise<string> =>
    (await api.call('POST', path, { key, json: { organizationId, name: 'x' } })).body.id as string;
  const [campaignId, contactListId] = [await make('/api/v1/campaigns'), await make('/api/v1/contact-lists')];
  await addContacts(db, { organizationId, contactListId }, 1, contacts);
  return { organizationId, campaignId, contactListId, key };
}

/** Adds contacts to a phonebook, in the order of their numbers. */
export async function addContacts(
  db: TestDatabase,
  { organizationId, contactListId }: { organizationId: string; contactListId: string },
  from: number,
  to: number,
): Promise<void> {
  if (to < from) return;
  await db.query(
    `with made as (
      insert into contacts (id, organization_id, phone_number, first_name, tags, custom_fields, search_text, created_at, updated_at)
      select ('019aa3c0-0000-7000-8000-' || lpad(to_hex(n + ?::bigint), 12, '0'))::uuid, ?, '+2519' || (20000000 + n),
        'Name' || n, '{}', jsonb_build_object('points', n), '+2519' || (20000000 + n) || chr(10) || 'name' || n, now(), now()
      from generate_series(?::int, ?::int) n
      on conflict (organization_id, phone_number) do update set updated_at = excluded.updated_at
      returning id
    ), joined as (
      insert into phonebook_members (phonebook_id, contact_id, organization_id) select ?, id, ? from made returning 1
    )
    update phonebooks set member_count = member_count + (select count(*) from joined) where id = ?`,
    [spread(), organizationId, from, to, contactListId, organizationId, contactListId],
  );
}

let spreads = 0;
/** Keeps the contact ids of several settings distinct. */
function spread(): number {
  spreads += 1;
  return spreads * 1_000_000;
}

export async function makeBatch(
  api: TestApi,
  { campaignId, contactListId, key }: BulkSetting,
  fields: Record<string, unknown> = {},
): Promise<Answer['body']> {
  const { status, body } = await api.call('POST', '/api/v1/bulk-sms', {
    key,
    json: { campaignId, contactListId, text: 'Selam {{firstName}}', ...fields },
  });
  expect({ status, body }).toMatchObject({ status: 202 });
  return body;
}

/** Reads a batch, and checks that its ledger balances. */
export async function readBatch(api: TestApi, { key }: BulkSetting, id: string): Promise<Answer['body']> {
  const { status, body } = await api.call('GET', `/api/v1/bulk-sms/${id}`, { key });
  expect(status).toBe(200);
  const { total, ...statuses } = body.ledger as Record<string, number>;
  const sum = Object.values(statuses).reduce((all, one) => all + one, 0);
  expect({ ledger: body.ledger, sum }).toEqual({ ledger: body.ledger, sum: total });
  return body;
}

/** An id that does not exist. */
export const unknownId = uuidv7();
