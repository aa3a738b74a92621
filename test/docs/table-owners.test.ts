import { globSync, readFileSync } from 'node:fs';

/**
 * A table belongs to the folder of its entity. Files of other folders call functions of that folder. The exceptions are
 * read models, which join many tables in one statement, and statements that must be one with the statement of the owner.
 * Each has its reason.
 */
const exceptions: Record<string, { tables: string[]; reason: string }> = {
  'src/analytics/count-messages.ts': { tables: ['bulk_batches', 'campaigns'], reason: 'Not moved yet.' },
  'src/bulk-sms/advance-batch.ts': { tables: ['messages'], reason: 'Not moved yet.' },
  'src/bulk-sms/batch-blocker.ts': { tables: ['campaigns', 'phonebooks'], reason: 'Not moved yet.' },
  'src/bulk-sms/bulk-batch-record.ts': { tables: ['messages'], reason: 'Not moved yet.' },
  'src/bulk-sms/cancel-queued-messages.ts': { tables: ['messages'], reason: 'Not moved yet.' },
  'src/bulk-sms/change-bulk-batch.ts': { tables: ['campaigns'], reason: 'Not moved yet.' },
  'src/bulk-sms/create-bulk-batch.ts': { tables: ['campaigns', 'phonebooks'], reason: 'Not moved yet.' },
  'src/bulk-sms/estimate-bulk-sms.ts': {
    tables: ['campaigns', 'contacts', 'phonebook_members'],
    reason: 'Not moved yet.',
  },
  'src/bulk-sms/freeze-recipients.ts': {
    tables: ['contacts', 'phonebook_members'],
    reason: 'Not moved yet.',
  },
  'src/bulk-sms/list-bulk-messages.ts': { tables: ['contacts', 'messages'], reason: 'Not moved yet.' },
  'src/bulk-sms/make-chunk.ts': {
    tables: ['dispatches', 'message_events', 'messages'],
    reason: 'Not moved yet.',
  },
  'src/bulk-sms/notify-batch-ended.ts': { tables: ['campaigns'], reason: 'Not moved yet.' },
  'src/bulk-sms/send-page.ts': { tables: ['messages'], reason: 'Not moved yet.' },
  'src/dispatches/claim-rows.ts': {
    tables: [
      'inbound_messages',
      'message_events',
      'messages',
      'security_codes',
      'webhook_attempts',
      'webhook_deliveries',
    ],
    reason: 'Not moved yet.',
  },
  'src/inbound/change-opt-out.ts': { tables: ['suppressions'], reason: 'Not moved yet.' },
  'src/inbound/find-last-sent.ts': { tables: ['messages'], reason: 'Not moved yet.' },
  'src/inbound/find-owners.ts': { tables: ['sender_ids'], reason: 'Not moved yet.' },
  'src/inbound/find-sharers.ts': { tables: ['sender_ids'], reason: 'Not moved yet.' },
  'src/inbound/hold-shared-keyword.ts': { tables: ['organizations', 'sender_ids'], reason: 'Not moved yet.' },
  'src/inbound/inbound-message-record.ts': { tables: ['messages'], reason: 'Not moved yet.' },
  'src/inbound/store-received-webhook.ts': {
    tables: ['messages', 'webhook_deliveries'],
    reason: 'Not moved yet.',
  },
  'src/inbound/store-reply.ts': { tables: ['messages'], reason: 'Not moved yet.' },
  'src/messages/advance-messages.ts': { tables: ['webhook_deliveries'], reason: 'Not moved yet.' },
  'src/messages/get-timeline.ts': {
    tables: ['webhook_attempts', 'webhook_deliveries'],
    reason: 'Not moved yet.',
  },
  'src/messages/store-messages.ts': { tables: ['idempotency_keys'], reason: 'Not moved yet.' },
  'src/notifications/record-notifications.ts': {
    tables: ['members'],
    reason:
      'One statement finds the members to notify, leaves out who was notified before, and locks the others.',
  },
  'src/organizations/find-member-role.ts': {
    tables: ['users'],
    reason: 'Callers name a member by the address of their account too.',
  },
  'src/organizations/notify-invitee.ts': {
    tables: ['users'],
    reason:
      'One statement locks the account before it reads the invitations: neither a confirmation nor an invitation is missed.',
  },
  'src/organizations/read-ended-invitations.ts': {
    tables: ['users'],
    reason: 'An invitation names its account only by the address, and a notification only by the id.',
  },
  'src/phonebooks/list-members.ts': {
    tables: ['contacts'],
    reason: 'The page is cut by the index of members, and its contacts are read in the same statement.',
  },
  'src/redrives/redrive-deliveries-page.ts': {
    tables: ['webhook_attempts', 'webhook_deliveries'],
    reason: 'Not moved yet.',
  },
  'src/redrives/redrive-messages-page.ts': {
    tables: ['message_events', 'messages'],
    reason: 'Not moved yet.',
  },
  'src/redrives/request-redrive.ts': { tables: ['organizations'], reason: 'Not moved yet.' },
  'src/schedules/schedule-record.ts': { tables: ['messages'], reason: 'Not moved yet.' },
  'src/sender-ids/read-for-review.ts': {
    tables: ['api_keys', 'organizations', 'users'],
    reason: 'Administrators search by the name of the organization, and see who made the request.',
  },
  'src/streams/find-admitted.ts': {
    tables: ['api_keys', 'sessions', 'users'],
    reason: 'One statement a second checks the keys and the sessions of all open streams.',
  },
  'src/webhooks/claim-due-deliveries.ts': { tables: ['messages'], reason: 'Not moved yet.' },
  'src/webhooks/record-attempts.ts': { tables: ['dispatches'], reason: 'Not moved yet.' },
};

interface Owned {
  table: string;
  entity: string;
  folder: string;
}

const owned: Owned[] = globSync('src/*/*.entity.ts').flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/name: '(\w+)',\s+tableName: '(\w+)'/g)].map(
    ([, entity, table]) => ({ entity: entity!, table: table!, folder: folderOf(file) }),
  ),
);

function folderOf(file: string): string {
  return file.split('/')[1]!;
}

/** Returns the tables of other folders that a file names: in SQL, or by importing their entities. */
function foreignTablesOf(file: string): string[] {
  const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*(\/\/|--).*$/gm, '');
  const named = new Set(
    [...code.matchAll(/(?<=\b(?:from|join|update|into|using|sql\.table\(|sql`)\s*['`]?)\w+/g)].map(
      ([name]) => name,
    ),
  );
  const imported = new Set(
    [...code.matchAll(/import (?:type )?\{([^}]*)\} from '[^']*\.entity\.ts'/g)].flatMap(([, names]) =>
      names!.split(',').map((name) => name.trim().replace(/^type /, '')),
    ),
  );
  return owned
    .filter(({ folder }) => folder !== folderOf(file))
    .filter(({ table, entity }) => named.has(table) || imported.has(entity))
    .map(({ table }) => table)
    .toSorted();
}

const files = globSync('src/*/*.ts').filter((file) => !file.endsWith('.entity.ts'));

test('every table has one owner', () => {
  expect(owned.length).toBeGreaterThan(40);
  expect(new Set(owned.map(({ table }) => table)).size).toBe(owned.length);
});

test.each(files)('%s names only tables of its folder', (file) => {
  expect(foreignTablesOf(file)).toEqual(exceptions[file]?.tables ?? []);
});

test('no exception is out of date', () => {
  for (const [file, { tables, reason }] of Object.entries(exceptions)) {
    expect({ file, tables: foreignTablesOf(file) }).toEqual({ file, tables });
    expect(reason).toMatch(/^[A-Z].*\.$/);
  }
});
