import * as fc from 'fast-check';
import { refuseUnstorable } from '../../src/http/storable-values.ts';
import { startTestApi, type Answer, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createTenant } from '../helpers/tenants.ts';

let db: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

interface Caller {
  organizationId: string;
  call: (method: string, path: string, options?: CallOptions) => Promise<Answer>;
  create: (json: object) => Promise<Answer>;
  /** The file as bytes say it: fetch would take the byte order mark off. */
  download: (query?: string) => Promise<string>;
  import: (file: string) => Promise<Answer>;
}

async function newCaller(): Promise<Caller> {
  const tenant = await createTenant(db.database);
  const { organizationId } = tenant;
  const key = await tenant.createKey();
  const call: Caller['call'] = (method, path, options = {}) => api.call(method, path, { key, ...options });
  return {
    organizationId,
    call,
    create: (json) => call('POST', '/api/v1/contacts', { json: { organizationId, ...json } }),
    download: async (query = '') => {
      const response = await fetch(`${api.baseUrl}/api/v1/contacts/export${query}`, {
        headers: { 'X-API-Key': key },
      });
      expect(response.status).toBe(200);
      return Buffer.from(await response.arrayBuffer()).toString();
    },
    import: (file) => call('POST', '/api/v1/contacts/import', { json: { organizationId, file } }),
  };
}

test('contacts are exported oldest first, as a file for spreadsheets', async () => {
  const { create, call, download } = await newCaller();
  await create({
    phoneNumber: '0911234567',
    firstName: 'አበበ',
    company: 'A, "B"\nC',
    customFields: { city: 'Adama' },
  });
  await create({
    phoneNumber: '0922345678',
    lastName: '=cmd|x',
    tags: ['a;b', 'c'],
    customFields: { phone: '+251933456789' },
  });
  const { headers } = await call('GET', '/api/v1/contacts/export');
  expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename=contacts-.*\.csv$/);
  expect(await download()).toBe(
    [
      '\ufeffphoneNumber,firstName,lastName,email,company,tags,city,customFields.phone',
      '+251911234567,አበበ,,,"A, ""B""\nC",,Adama,',
      "+251922345678,,'=cmd|x,,,a\\;b;c,,+251933456789",
      '',
    ].join('\r\n'),
  );
});

test('an export has the contacts and the columns that the filters leave', async () => {
  const { create, download } = await newCaller();
  await create({ phoneNumber: '0911234567', firstName: 'Abebe', customFields: { city: 'Adama' } });
  await create({
    phoneNumber: '0922345678',
    firstName: 'Sara',
    customFields: { age: 3, none: null, empty: '' },
  });
  expect(await download('?search=sara')).toBe(
    '\ufeffphoneNumber,firstName,lastName,email,company,tags,age\r\n+251922345678,Sara,,,,,3\r\n',
  );
  expect(await download('?to=2001-01-01')).toBe(
    '\ufeffphoneNumber,firstName,lastName,email,company,tags\r\n',
  );
});

test('an export is in the audit log with its filters by name, not with what was looked for', async () => {
  const { organizationId, create, download } = await newCaller();
  await create({ phoneNumber: '0911234567', firstName: 'Abebe' });
  await download('?search=911234567&from=2026-01-01');
  await download();
  const events = await db.query(
    `select actor_kind, subject_id, details from audit_events
     where organization_id = ? and action = 'contacts.exported' order by id`,
    [organizationId],
  );
  expect(events).toEqual([
    { actor_kind: 'api_key', subject_id: organizationId, details: { filters: ['from', 'search'] } },
    { actor_kind: 'api_key', subject_id: organizationId, details: { filters: [] } },
  ]);
});

test('more than a page of contacts is exported, each once', async () => {
  const { organizationId, download } = await newCaller();
  await db.query(
    `insert into contacts (id, organization_id, phone_number, tags, custom_fields, search_text, created_at, updated_at)
     select uuidv7(), ?, '+2519' || lpad(n::text, 8, '0'), '{}', '{}', '', now(), now() from generate_series(1, 3001) n`,
    [organizationId],
  );
  const lines = (await download()).trim().split('\r\n').slice(1);
  expect(lines).toHaveLength(3001);
  expect(new Set(lines).size).toBe(3001);
});

test('custom fields beyond five hundred names keep their values, in one column', async () => {
  const { create, download } = await newCaller();
  for (let part = 0; part < 11; part += 1) {
    const names = Array.from(
      { length: 50 },
      (_none, index) => `f${String(part * 50 + index).padStart(3, '0')}`,
    );
    const customFields = Object.fromEntries(names.map((name) => [name, `${name}=`]));
    expect((await create({ phoneNumber: `09112345${part + 10}`, customFields })).status).toBe(201);
  }
  const first = await download();
  expect(first.split('\r\n')[0]).toMatch(/,f499,customFields$/);
  const other = await newCaller();
  expect((await other.import(first)).body).toMatchObject({ imported: 11, rejected: 0 });
  expect(await other.download()).toBe(first);
});

/** Texts in which everything occurs that a CSV file, a spreadsheet or a header could trip over. */
const text = (maxLength: number) =>
  fc
    .oneof(
      fc.string({ unit: fc.constantFrom(...Array.from(`'=+-@\t\r\n;,\\"a1 ＝.éአ`)), maxLength }),
      fc
        .string({ unit: 'grapheme', maxLength: Math.floor(maxLength / 4) })
        .filter((value) => Array.from(value).length <= maxLength),
    )
    .filter((value) => value.isWellFormed() && !value.includes('\0'));
const customName = fc
  .oneof(text(20), fc.constantFrom('Phone', 'tags ', 'customFields', 'customFields.x', 'x'))
  .filter((name) => name !== '__proto__');
const canBeKept = (value: unknown): boolean => {
  try {
    refuseUnstorable(value);
    return true;
  } catch {
    return false;
  }
};
const anyJson = fc.jsonValue({ maxDepth: 3 }).filter(canBeKept);
const contact = fc.record({
  firstName: text(60),
  lastName: text(60),
  company: text(60),
  email: fc.oneof(fc.constantFrom(null, 'a@example.com', '=a@example.com'), text(60)),
  tags: fc.array(
    text(20).filter((tag) => tag.trim() !== ''),
    { maxLength: 5 },
  ),
  customFields: fc.dictionary(customName, fc.oneof(text(60), anyJson), { maxKeys: 5 }),
});

test('export, import and export again give the same file, whatever the contacts hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(contact, { minLength: 1, maxLength: 5 }), async (contacts) => {
      const [from, into] = [await newCaller(), await newCaller()];
      for (const [index, json] of contacts.entries()) {
        const answer = await from.create({ phoneNumber: `091123456${index}`, ...json });
        expect({ answer: answer.body, status: answer.status }).toMatchObject({ status: 201 });
      }
      const first = await from.download();
      const imported = await into.import(first);
      expect(imported.body).toMatchObject({ imported: contacts.length, rejected: 0, skipped: 0 });
      expect(await into.download()).toBe(first);
      // Taken in where it comes from, it changes nothing, types included.
      const before = (await from.call('GET', '/api/v1/contacts')).body as object;
      expect((await from.import(first)).body).toMatchObject({ imported: 0, updated: contacts.length });
      expect((await from.call('GET', '/api/v1/contacts')).body).toEqual(before);
    }),
    { numRuns: 60 },
  );
}, 120_000);
