import { globSync, readFileSync } from 'node:fs';

/**
 * A table belongs to the folder of its entity. Files of other folders call functions of that folder. The exceptions are
 * read models, which join many tables in one statement, and statements that must be one with the statement of the owner.
 * Each has its reason.
 */
const exceptions: Record<string, { tables: string[]; reason: string }> = {
  'src/analytics/count-messages.ts': {
    tables: ['bulk_batches', 'campaigns'],
    reason: 'A report adds up the counts of batches by campaign, in its only statement.',
  },
  'src/analytics/roll-up-days.ts': {
    tables: ['organizations'],
    reason:
      'One statement a minute finds the organizations whose days, or whose time zone, are not rolled up.',
  },
  'src/audit/name-actors.ts': {
    tables: ['api_keys', 'users'],
    reason: 'One statement names the actors of a page of events, who are people and keys.',
  },
  'src/backups/settle-after-restore.ts': {
    tables: [
      ...[
        'api_keys',
        'bulk_batches',
        'contact_imports',
        'dispatches',
        'inbound_messages',
        'message_schedules',
      ],
      ...['messages', 'redrives', 'security_codes', 'sessions'],
    ],
    reason:
      'One transaction makes all work in progress safe after a restore, and its rules read as one list.',
  },
  'src/bulk-sms/run-batch/advance-batch.ts': {
    tables: ['messages'],
    reason: 'A batch is completed by the statement that finds none of its messages queued.',
  },
  'src/bulk-sms/bulk-batch-record.ts': {
    tables: ['messages'],
    reason: 'The ledger counts the messages of each batch in the snapshot that reads the batch.',
  },
  'src/bulk-sms/run-batch/freeze-recipients.ts': {
    tables: ['contacts', 'phonebook_members'],
    reason: 'One statement copies the contacts of a list, up to a hundred thousand, to the recipients.',
  },
  'src/bulk-sms/list-bulk-messages.ts': {
    tables: ['contacts', 'messages'],
    reason: 'A page of recipients shows their messages and is searched by the fields of their contacts.',
  },
  'src/inbound/keywords/reserve-shared-keyword.ts': {
    tables: ['organizations', 'sender_ids'],
    reason:
      'Rules and approvals wait for each other at the row of the organization, and one statement names who owns a keyword.',
  },
  'src/inbound/inbound-message-record.ts': {
    tables: ['messages'],
    reason: 'A page of inbound messages shows the reply to each, in one statement.',
  },
  'src/inbound/store-reply.ts': {
    tables: ['messages'],
    reason:
      'The replies of one rule are the messages that reply to its inbound messages, counted in one statement.',
  },
  'src/bulk-sms/list-bulk-failures.ts': {
    tables: ['messages'],
    reason: 'The failures of a batch are counted by the index of its ledger.',
  },
  'src/messages/list-failed-messages.ts': {
    tables: ['organizations'],
    reason: 'Administrators see the name of the organization of each failed message.',
  },
  'src/messages/timeline/get-timeline.ts': {
    tables: ['webhook_attempts', 'webhook_deliveries'],
    reason: 'A timeline page orders the entries of a message and of its webhooks by time, in one read.',
  },
  'src/notifications/record-notifications.ts': {
    tables: ['members'],
    reason:
      'One statement finds the members to notify, leaves out who was notified before, and locks the others.',
  },
  'src/organizations/lock-member-role.ts': {
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
  'src/privacy/erase-from-parts.ts': {
    tables: [
      ...['bulk_batches', 'bulk_recipients', 'contact_import_chunks', 'contact_import_numbers'],
      ...['contact_import_rejects', 'contact_imports'],
    ],
    reason: 'Steps of an erasure, which are in one folder so that a missing table is seen.',
  },
  'src/privacy/erasure-steps.ts': {
    tables: [
      ...['contacts', 'erased_opt_outs', 'idempotency_keys'],
      ...['inbound_messages', 'message_events', 'message_schedules', 'messages', 'notifications'],
      ...['security_codes', 'suppressions', 'webhook_attempts', 'webhook_deliveries'],
    ],
    reason: 'The list of all that an erasure changes is in one place, so that a missing table is seen.',
  },
  'src/privacy/export-person.ts': {
    tables: [
      ...['bulk_batches', 'bulk_recipients', 'consent_events', 'contact_import_rejects', 'contact_imports'],
      ...['contacts', 'inbound_messages', 'message_schedules', 'messages', 'phonebook_members', 'phonebooks'],
      ...['security_codes', 'suppressions', 'webhook_deliveries'],
    ],
    reason: 'The list of all that is stored about a person is in one place, so that a missing table is seen.',
  },
  'src/privacy/find-remains.ts': {
    tables: [
      ...['contact_imports', 'contacts', 'inbound_messages', 'messages', 'security_codes', 'suppressions'],
      'webhook_deliveries',
    ],
    reason: 'One statement finds what an erasure waits for, and one what is left of the number.',
  },
  'src/privacy/retention-steps.ts': {
    tables: [
      ...['bulk_recipients', 'inbound_messages', 'message_schedules', 'messages'],
      ...['security_codes', 'webhook_attempts', 'webhook_deliveries'],
    ],
    reason: 'The list of all that retention discards is in one place, with its conditions.',
  },
  'src/redrives/redrive-deliveries-page.ts': {
    tables: ['webhook_attempts', 'webhook_deliveries'],
    reason: 'A page of dead deliveries is filtered by the last attempt of each.',
  },
  'src/redrives/redrive-messages-page.ts': {
    tables: ['messages'],
    reason:
      'A page judges failed messages and sends them again in one statement, with the insert of their owner.',
  },
  'src/schedules/schedule-record.ts': {
    tables: ['messages'],
    reason: 'One statement reads the last runs of all listed schedules with the statuses of their messages.',
  },
  'src/security-codes/code-rows.ts': {
    tables: ['messages'],
    reason: 'A code that is not verified shows operators the status of its message.',
  },
  'src/security-codes/count-codes.ts': {
    tables: ['messages'],
    reason: 'A report counts the codes whose messages were delivered, in one statement.',
  },
  'src/security-codes/watch/watch-conversion.ts': {
    tables: ['messages'],
    reason: 'Codes whose messages the gateway did not take are left out by the statement that counts codes.',
  },
  'src/sender-ids/read-for-review.ts': {
    tables: ['api_keys', 'organizations', 'users'],
    reason: 'Administrators search by the name of the organization, and see who made the request.',
  },
  'src/streams/find-admitted.ts': {
    tables: ['api_keys', 'sessions', 'users'],
    reason: 'One statement a second checks the keys and the sessions of all open streams.',
  },
  'src/webhooks/attempts/claim-due-deliveries.ts': {
    tables: ['messages'],
    reason: 'The claim reads the secret of the message that signs the request, in the same round trip.',
  },
  'src/webhooks/attempts/record-attempts.ts': {
    tables: ['dispatches'],
    reason:
      'The next event joins the dispatch of the previous one only while that dispatch is open: one statement.',
  },
};

interface Owned {
  table: string;
  entity: string;
  folder: string;
}

const owned: Owned[] = globSync('src/*/**/*.entity.ts').flatMap((file) =>
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

const files = globSync('src/*/**/*.ts').filter((file) => !file.endsWith('.entity.ts'));

test('every table has one owner (else: define it in one entity)', () => {
  expect(owned.length).toBeGreaterThan(40);
  expect(new Set(owned.map(({ table }) => table)).size).toBe(owned.length);
});

test.each(files)(
  '%s names only tables of its folder (else: call a function of the owner, or give the reason in `exceptions`)',
  (file) => {
    expect(foreignTablesOf(file)).toEqual(exceptions[file]?.tables ?? []);
  },
);

test('no exception is out of date (else: remove the table from `exceptions`)', () => {
  for (const [file, { tables, reason }] of Object.entries(exceptions)) {
    expect({ file, tables: foreignTablesOf(file) }).toEqual({ file, tables });
    expect(reason).toMatch(/^[A-Z].*\.$/);
  }
});

test.each(['messages', 'message_events', 'webhook_deliveries', 'dispatches', 'idempotency_keys'])(
  'one statement inserts %s',
  (table) => {
    const statement = new RegExp(`\\binsert into ${table}\\b`, 'g');
    expect(files.flatMap((file) => readFileSync(file, 'utf8').match(statement) ?? [])).toHaveLength(1);
  },
);
