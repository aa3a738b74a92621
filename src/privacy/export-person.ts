import { sql, type RawBuilder } from 'kysely';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import { environments, type Principal } from '../principal.ts';
import type { Administrator } from '../auth/administrator.ts';
import { sqlOf, type Database, type Sql } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant, asTenants } from '../organizations/organization-scope.ts';
import type { HashNumber } from './number-hash.ts';
import { patternOfNumber } from './number-pattern.ts';

/** The number of rows that are in memory at a time. */
const rowsPerPage = 500;

type SectionsOf<Export> = Record<Exclude<keyof Export, 'phoneNumber'>, SectionQuery>;

interface Exported {
  /** Null: of the platform. */
  organizationId: string | null;
  phoneNumber: string;
  numberHash: string;
}

/** A select of `position`, by which rows are paged, and `row`, what the export shows, in the order of `position`. */
type SectionQuery = (person: Exported) => RawBuilder<unknown>;

const ofMessages = ({ organizationId, phoneNumber }: Exported) => sql`
  organization_id = ${organizationId} and environment = any(${[...environments]}::text[])
  and recipient = ${phoneNumber}`;

/** What the organization stores about the number, by section. Ids of dispatches, seals and hashes say nothing of it. */
const sections: SectionsOf<Schemas['PersonExport']> = {
  contacts: ({ organizationId, phoneNumber }) => sql`
    select id::text as position, to_jsonb(contacts) - 'organization_id' - 'search_text' as row from contacts
    where organization_id = ${organizationId} and phone_number = ${phoneNumber}`,
  phonebooks: ({ organizationId, phoneNumber }) => sql`
    select phonebooks.id::text as position, jsonb_build_object('id', phonebooks.id, 'name', name) as row
    from contacts join phonebook_members on contact_id = contacts.id
    join phonebooks on phonebooks.id = phonebook_id
    where contacts.organization_id = ${organizationId} and phone_number = ${phoneNumber}`,
  messages: (person) => sql`
    select id::text as position, jsonb_build_object(
      'id', id, 'environment', environment, 'from', sender, 'to', recipient, 'text', text, 'status', status,
      'segments', segments, 'metadata', metadata, 'errorCode', error_code, 'createdAt', created_at,
      'sentAt', sent_at, 'deliveredAt', delivered_at, 'failedAt', failed_at, 'bulkSmsId', bulk_batch_id
    ) as row
    from messages where ${ofMessages(person)}`,
  securityCodes: (person) => sql`
    select id::text as position, jsonb_build_object(
      'verificationId', id, 'environment', environment, 'to', recipient, 'purpose', purpose, 'status', status,
      'attempts', attempts, 'createdAt', created_at, 'expiresAt', expires_at, 'verifiedAt', verified_at
    ) as row
    from security_codes where ${ofMessages(person)}`,
  schedules: (person) => sql`
    select id::text as position, jsonb_build_object(
      'id', id, 'environment', environment, 'to', recipient, 'text', text, 'status', status, 'startsAt', starts_at,
      'nextRunAt', next_run_at, 'createdAt', created_at
    ) as row
    from message_schedules where ${ofMessages(person)}`,
  bulkRecipients: ({ organizationId, phoneNumber }) => sql`
    select batch_id::text || lpad(position::text, 10, '0') as position, jsonb_build_object(
      'bulkSmsId', batch_id, 'position', bulk_recipients.position, 'to', recipient, 'fields', fields,
      'refusal', refusal, 'messageId', message_id
    ) as row
    from bulk_batches join bulk_recipients on batch_id = bulk_batches.id
    where bulk_batches.organization_id = ${organizationId} and recipient = ${phoneNumber}`,
  inboundMessages: ({ organizationId, phoneNumber }) => sql`
    select id::text as position, jsonb_build_object(
      'id', id, 'from', sender, 'to', recipient, 'text', text, 'status', status, 'matched', matched,
      'createdAt', created_at
    ) as row
    from inbound_messages where organization_id = ${organizationId} and sender = ${phoneNumber}`,
  webhookDeliveries: (person) => sql`
    select id::text as position, jsonb_build_object(
      'id', id, 'event', event, 'url', url, 'body', body, 'status', status, 'createdAt', created_at
    ) as row
    from webhook_deliveries where message_id in (select id from messages where ${ofMessages(person)})`,
  importRejects: ({ organizationId, phoneNumber }) => sql`
    select import_id::text || lpad(line::text, 10, '0') as position, jsonb_build_object(
      'importId', import_id, 'line', line, 'code', code, 'message', message, 'cells', cells
    ) as row
    from contact_imports join contact_import_rejects on import_id = contact_imports.id
    where contact_imports.organization_id = ${organizationId}
      and array_to_string(cells, ' ') like '%' || substring(${phoneNumber}::text from '.{9}$') || '%'`,
  suppressions: ({ organizationId, phoneNumber }) => sql`
    select id::text as position, jsonb_build_object(
      'id', id, 'phoneNumber', phone_number, 'reason', reason, 'source', source, 'createdAt', created_at
    ) as row
    from suppressions where organization_id = ${organizationId} and phone_number = ${phoneNumber}`,
  mentions: ({ organizationId, phoneNumber }) => {
    const pattern = patternOfNumber(phoneNumber);
    const mentionsIn = (table: string, kind: string, columns: string[]) => sql`
      select ${kind}::text || ' ' || id as position,
        jsonb_build_object('kind', ${kind}::text, 'id', id, ${sql.join(columns.flatMap((column) => [sql.lit(column), sql.ref(column)]))}) as row
      from ${sql.table(table)}
      where organization_id = ${organizationId} and concat_ws(' ', ${sql.join(columns.map((column) => sql.ref(column)))}) ~ ${pattern}`;
    return sql.join(
      [
        mentionsIn('bulk_batches', 'bulk_sms', ['text']),
        mentionsIn('campaigns', 'campaign', ['name', 'description']),
        mentionsIn('inbound_keywords', 'keyword', ['keyword', 'response']),
        mentionsIn('phonebooks', 'contact_list', ['name', 'description']),
        mentionsIn('templates', 'template', ['name', 'content']),
      ],
      sql` union all `,
    );
  },
  consent: ({ organizationId, numberHash }) => sql`
    select id::text as position, jsonb_build_object(
      'id', id, 'at', at, 'kind', kind, 'source', source, 'inboundMessageId', inbound_message_id
    ) as row
    from consent_events where organization_id = ${organizationId} and number_hash = decode(${numberHash}, 'hex')`,
};

/** What is stored about the number and belongs to no organization. */
const platformSections: SectionsOf<Schemas['PlatformPersonExport']> = {
  inboundMessages: ({ phoneNumber }) => sql`
    select id::text as position, jsonb_build_object(
      'id', id, 'from', sender, 'to', recipient, 'text', text, 'status', status, 'matched', matched,
      'createdAt', created_at
    ) as row
    from inbound_messages where organization_id is null and sender = ${phoneNumber}`,
};

/**
 * Returns the parts of a JSON text with everything that the organization stores about a number. Rows are read page by
 * page, so memory is limited to one page. The audit log records the export before the first part.
 */
export async function exportPerson(
  dependencies: { database: Database; hashNumber: HashNumber },
  principal: Principal,
  phoneNumber: string,
): Promise<AsyncIterable<string>> {
  const { database, hashNumber } = dependencies;
  const { organizationId } = principal;
  const person = { organizationId, phoneNumber, numberHash: await hashNumber(phoneNumber) };
  await asTenant(database, principal, async (em) => {
    recordAuditEvent(em, principal, { action: 'person.exported', subjectId: organizationId });
    await em.flush();
  });
  return writeSections(sections, person, (query, after) =>
    asTenants(database, [organizationId], (db) => readPage(db, query, after)),
  );
}

/** The same for administrators: what is stored about a number and belongs to no organization. */
export async function exportUnroutedPerson(
  database: Database,
  administrator: Administrator,
  phoneNumber: string,
): Promise<AsyncIterable<string>> {
  const requester = { ...administrator, organizationId: null };
  await database.em.fork().transactional((em) => {
    recordAuditEvent(em, requester, { action: 'person.exported', subjectId: administrator.actor.id });
    return Promise.resolve();
  });
  const person = { organizationId: null, phoneNumber, numberHash: '' };
  return writeSections(platformSections, person, (query, after) => readPage(sqlOf(database), query, after));
}

interface ExportedRow {
  position: string;
  row: string;
}

async function* writeSections(
  written: Record<string, SectionQuery>,
  person: Exported,
  read: (query: RawBuilder<unknown>, after: string) => Promise<ExportedRow[]>,
): AsyncGenerator<string> {
  yield `{"phoneNumber":${JSON.stringify(person.phoneNumber)}`;
  for (const [name, query] of Object.entries(written)) {
    let separator = `,${JSON.stringify(name)}:[`;
    yield separator;
    separator = '';
    for (let after = ''; ;) {
      const rows = await read(query(person), after);
      for (const { row } of rows) {
        yield `${separator}${row}`;
        separator = ',';
      }
      if (rows.length < rowsPerPage) break;
      after = rows.at(-1)!.position;
    }
    yield ']';
  }
  yield '}\n';
}

async function readPage(db: Sql, query: RawBuilder<unknown>, after: string): Promise<ExportedRow[]> {
  const { rows } = await sql<ExportedRow>`
    select position, row::text as row from (${query}) section
    where position > ${after} order by position limit ${rowsPerPage}
  `.execute(db);
  return rows;
}
