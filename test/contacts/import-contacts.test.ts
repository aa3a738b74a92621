import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { removeExpiredRejects } from '../../src/contacts/import/remove-expired-rejects.ts';
import { importPage } from '../../src/contacts/import/import-page.ts';
import { startTestApi, type Answer, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { problemOf } from '../helpers/people.ts';
import { createTenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let db: TestDatabase;
let api: TestApi;
let key: string;
let organizationId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

beforeEach(async () => {
  const tenant = await createTenant(db.database);
  key = await tenant.createKey();
  ({ organizationId } = tenant);
});

const path = '/api/v1/contacts/import';
const call = (method: string, target: string, options: CallOptions = {}): Promise<Answer> =>
  api.call(method, target, { key, ...options });

/** Uploads a file as a browser does. */
async function upload(csv: string | Buffer, field = 'file'): Promise<Answer> {
  const form = new FormData();
  form.append('organizationId', organizationId);
  form.append(field, new Blob([csv], { type: 'text/csv' }), 'contacts.csv');
  const response = await fetch(`${api.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'X-API-Key': key },
    body: form,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

interface Stored {
  phone: string;
  first: string | null;
  last: string | null;
  email: string | null;
  company: string | null;
  tags: string[];
  custom: Record<string, unknown>;
}
const stored = (): Promise<Stored[]> =>
  db.query(
    `select phone_number as phone, first_name as first, last_name as last, email, company, to_json(tags) as tags,
       custom_fields as custom from contacts where organization_id = ? order by id`,
    [organizationId],
  );

const rejectsOf = (id: string): Promise<Answer> => call('GET', `/api/v1/contacts/imports/${id}/rejects`);

test('rows become contacts: any header spelling, Amharic, quoted line breaks, unknown columns as custom fields', async () => {
  const csv = [
    '\ufeffPhone Number,FIRST_NAME,surname,E-mail,Organization,Tags,City,"የ ቤት ቁጥር"',
    '0911234567,አበበ,"Bikila, Jr.",a@example.com,"Ethio\r\nTelecom","vip; addis,\\;x",Adama,12',
    '"+251 922 345 678",,,,,,,',
    '',
    '933456789,O\'Neil,"""Sara""",,,,,',
  ].join('\r\n');
  const { status, body } = await upload(csv);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    status: 'completed',
    imported: 3,
    updated: 0,
    skipped: 0,
    rejected: 0,
    errors: [],
  });
  const none = { first: null, last: null, email: null, company: null, tags: [], custom: {} };
  expect(await stored()).toEqual([
    {
      ...{ phone: '+251911234567', first: 'አበበ', last: 'Bikila, Jr.', email: 'a@example.com' },
      ...{
        company: 'Ethio\r\nTelecom',
        tags: ['vip', 'addis', ';x'],
        custom: { City: 'Adama', 'የ ቤት ቁጥር': '12' },
      },
    },
    { phone: '+251922345678', ...none },
    { phone: '+251933456789', ...none, first: "O'Neil", last: '"Sara"' },
  ]);
});

test('spaces in a cell are part of a name, as in the API, and an empty cell changes nothing', async () => {
  const header = 'phone,firstName,lastName,company';
  await upload(`${header}\n0911234567,  , Bikila ,\u3000`);
  const spaced = [{ phone: '+251911234567', first: '  ', last: ' Bikila ', company: '\u3000' }];
  expect(await stored()).toMatchObject(spaced);
  await upload(`${header}\n0911234567,,,`);
  expect(await stored()).toMatchObject(spaced);
});

test('each encoding takes the same file: as a file, or as its text', async () => {
  const file = 'mobile;name\n0911234567;Abebe\n';
  const answers = [
    await upload(file),
    await call('POST', path, { json: { organizationId, file } }),
    await call('POST', path, { form: { organizationId, file } }),
    await call('POST', path, { multipart: { organizationId, file } }),
  ];
  expect(answers.map(({ status, body }) => [status, body.imported, body.updated])).toEqual([
    [200, 1, 0],
    [200, 0, 1],
    [200, 0, 1],
    [200, 0, 1],
  ]);
  expect(await stored()).toMatchObject([{ phone: '+251911234567', custom: { name: 'Abebe' } }]);
});

test('a file may have 1,000 columns', async () => {
  const values = Array.from({ length: 999 }, (_value, index) => index % 100);
  const { body } = await upload(`phone,${manyColumns(999)}\n0911234567,${values.join(',')}\n`);
  expect(body).toMatchObject({ imported: 1, rejected: 0 });
  const [contact] = await stored();
  expect(Object.keys(contact!.custom)).toHaveLength(999);
});

function manyColumns(count: number): string {
  return Array.from({ length: count }, (_value, index) => `c${index}`).join(',');
}

test.each([
  ['an empty file', '', 'empty'],
  ['a file without a column of numbers', 'name,city\nAbebe,Adama\n', 'phone_column_missing'],
  ['two columns of numbers', 'phone,mobile\n0911234567,0911234568\n', 'duplicate_column'],
  ['two custom columns of one name', 'phone,a,a\n0911234567,1,2\n', 'duplicate_column'],
  ['a column called __proto__', 'phone,__proto__\n0911234567,1\n', 'wrong_column_name'],
  ['a file of 1,001 columns', `phone,${manyColumns(1000)}\n0911234567\n`, 'too_many_columns'],
  ['a file of 1,001 columns without names', `phone${';'.repeat(1000)}\n0911234567\n`, 'too_many_columns'],
  ['a file of 30,000 columns', `${manyColumns(30_000)}\n0911234567\n`, 'too_many_columns'],
  ['a file in UTF-16', Buffer.from('\ufeffphone\n0911234567\n', 'utf16le'), 'wrong_encoding'],
  ['a header in Latin-1', Buffer.from('phone,pr\xe9nom\n', 'latin1'), 'wrong_encoding'],
] as [string, string | Buffer, string][])('%s is refused and stores nothing', async (...[, csv, code]) => {
  const answer = await upload(csv);
  expect(problemOf(answer)).toEqual({ status: 400, code: 'invalid_request' });
  expect(answer.body.errors).toMatchObject([{ path: '/body/file', code }]);
  expect(await db.query('select from contact_imports where organization_id = ?', [organizationId])).toEqual(
    [],
  );
});

test('a file in another field, without its field, or too large is refused and leaves nothing on the disk', async () => {
  const before = new Set(await readdir(tmpdir()));
  expect(problemOf(await upload('phone\n', 'document'))).toEqual({ status: 400, code: 'invalid_request' });
  expect(problemOf(await call('POST', path, { multipart: { organizationId } }))).toEqual({
    status: 400,
    code: 'invalid_request',
  });
  expect(problemOf(await upload(Buffer.alloc(33_554_433, 'x')))).toEqual({
    status: 413,
    code: 'payload_too_large',
  });
  const text = { organizationId, file: 'x'.repeat(1024 * 1024) };
  expect((await call('POST', path, { json: text })).status).toBe(413);
  expect((await upload('phone\n0911234567\n')).status).toBe(200);
  const uploads = async () =>
    (await readdir(tmpdir())).filter((name) => name.startsWith('sms-upload-') && !before.has(name));
  await until('the uploads to be removed', async () => (await uploads()).length === 0);
});

const csvPart = (name: string): [string, Blob] => [name, new Blob(['phone\n'])];

test.each<[what: string, parts: [string, Blob | string][], status: number, code: string]>([
  ['two files', [csvPart('file'), csvPart('file')], 400, 'invalid_request'],
  ['a second file in another field', [csvPart('file'), csvPart('other')], 400, 'invalid_request'],
  ['a second file before the one it is', [csvPart('other'), csvPart('file')], 400, 'invalid_request'],
  ['too many fields after the file', [csvPart('file'), ...manyFields()], 413, 'payload_too_large'],
  [
    'a field with a long name after the file',
    [csvPart('file'), ['n'.repeat(3000), '']],
    413,
    'payload_too_large',
  ],
])(
  'a form with %s is refused, the process lives on, and nothing is left on the disk',
  async (_what, parts, status, code) => {
    const before = new Set(await readdir(tmpdir()));
    const form = new FormData();
    form.append('organizationId', organizationId);
    for (const [name, value] of parts) form.append(name, value);
    const response = await fetch(`${api.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': key },
      body: form,
    });
    expect({ status: response.status, code: ((await response.json()) as { code: string }).code }).toEqual({
      status,
      code,
    });
    // The answer of a broken close handler would be the end of this very process.
    expect((await upload('phone\n0911234567\n')).status).toBe(200);
    const uploads = async () =>
      (await readdir(tmpdir())).filter((name) => name.startsWith('sms-upload-') && !before.has(name));
    await until('the uploads to be removed', async () => (await uploads()).length === 0);
  },
);

function manyFields(): [string, string][] {
  return Array.from({ length: 22 }, (_, index) => [`field${index}`, '']);
}

test.each([
  ['2.51911E+11,,', 'Phone', 'scientific_notation'],
  ['"2,51911E+11",,', 'Phone', 'scientific_notation'],
  [',Abebe,', 'Phone', 'required'],
  ['12345,,', 'Phone', 'invalid_recipient'],
  ['abc,,', 'Phone', 'invalid_recipient'],
  [`0911234567,${'x'.repeat(101)},`, 'First', 'wrong'],
  [`0911234567,,${'x'.repeat(321)}`, 'Mail', 'too_long'],
  ['0911234567,,,,more', null, 'too_many_cells'],
  ['0911234567,,,value', '', 'unnamed_column'],
  ['0911234567,a\0b,', 'First', 'invalid_characters'],
  [Buffer.from('0911234567,Jos\xe9,', 'latin1'), 'First', 'invalid_encoding'],
  ['0911234567,"never closed,\n0944567890,,', null, 'unclosed_quote'],
] as [string | Buffer, string | null, string][])(
  'a row like %j is rejected with its line, and the others are taken',
  async (...[row, column, code]) => {
    const lines = ['Phone,First Name,Mail,', '"0922345678","two\nlines",'].join('\n');
    const csv = Buffer.concat([Buffer.from(`${lines}\n`), Buffer.from(row), Buffer.from('\n0933456789,,\n')]);
    const { body } = await upload(csv);
    const isWrong = { First: 'First Name' } as Record<string, string>;
    expect(body.errors).toMatchObject([
      {
        line: 4,
        column: column === null ? null : (isWrong[column] ?? column),
        code: code === 'wrong' ? 'too_long' : code,
        message: expect.any(String) as string,
      },
    ]);
    expect(body.rejected).toBe(1);
    const phones = (await stored()).map(({ phone }) => phone);
    expect(phones).toEqual(expect.arrayContaining(['+251922345678', '+251933456789']));
    expect(phones).not.toContain('+251911234567');
  },
);

test.each([
  ['Phone,City\n14155552671,Adama\n', 'Phone', 'cannot be used: it is neither'],
  ['Phone,City\n911,Adama\n', 'Phone', 'cannot be used: '],
  [
    `Phone,customFields\n0911234567,"{""note"":""${'x'.repeat(16_400)}""}"\n`,
    'customFields',
    'bytes of custom fields',
  ],
])('what is wrong with a row is said of its column, not of a request (%#)', async (csv, column, says) => {
  const { body } = await upload(csv);
  expect(body.errors).toMatchObject([{ line: 2, column }]);
  expect(body.errors[0].message).toContain(says);
  expect(body.errors[0].message).not.toMatch(/body|form|%2B|request/);
  expect((await rejectsOf(body.id as string)).body).toContain(`${column} ${body.errors[0].message}.`);
});

test.each([
  ['sep=;\n', ';', 'Phone;First, or given name\n0911234567;Abebe\n12;x\n'],
  ['\ufeffsep=;\r\n', ';', 'Phone;First, or given name\r\n0911234567;Abebe\r\n12;x\r\n'],
  ['SEP=,\n', ',', 'Phone,First; or given name\n0911234567,Abebe\n12,x\n'],
  ['"sep=;"\n', ';', 'Phone;A,B,C,D\n0911234567;Abebe\n12;x\n'],
  ['sep=;;;\n', ';', 'Phone;A,B,C,D\n0911234567;Abebe\n12;x\n'],
])('a first line %j says what the separator is, and lines are counted with it', async (first, _, rest) => {
  const { status, body } = await upload(`${first}${rest}`);
  expect({ status, body }).toMatchObject({ status: 200, body: { imported: 1, rejected: 1 } });
  expect(body.errors).toMatchObject([{ line: 4, column: 'Phone' }]);
  const [contact] = await stored();
  expect(contact!.phone).toBe('+251911234567');
  expect(Object.values(contact!.custom)).toEqual(['Abebe']);
});

test.each(['sep=|\n', 'sep=\n', 'sep=\t\n'])('a first line %j is refused', async (first) => {
  const answer = await upload(`${first}phone\n0911234567\n`);
  expect(answer.body).toMatchObject({
    status: 400,
    code: 'invalid_request',
    errors: [{ code: 'wrong_separator' }],
  });
  expect(answer.body.detail).toContain('line 1');
  expect(await stored()).toEqual([]);
});

test('of two rows with one number the later is skipped, with the line of the first', async () => {
  const { body } = await upload('phone,firstName\n0911234567,First\n0922345678,\n+251 911 234567,Second\n');
  expect(body).toMatchObject({ imported: 2, skipped: 1, rejected: 0 });
  expect(body.errors).toMatchObject([{ line: 4, column: null, code: 'duplicate_row' }]);
  expect(body.errors[0].message).toContain('line 2');
  expect(await stored()).toMatchObject([{ first: 'First' }, { phone: '+251922345678' }]);
});

test('a known contact is updated with the cells that are there; numbers and booleans stay what they are', async () => {
  const contact = {
    ...{ organizationId, phoneNumber: '0911234567', firstName: 'Abebe', lastName: 'Bikila', tags: ['vip'] },
    customFields: { age: 31, member: true, city: 'Adama' },
  };
  expect((await call('POST', '/api/v1/contacts', { json: contact })).status).toBe(201);
  const { body } = await upload(
    'phone,firstName,lastName,age,member,city,new\n0911234567,Haile,,31,true,Jimma,x\n',
  );
  expect(body).toMatchObject({ imported: 0, updated: 1, rejected: 0 });
  expect(await stored()).toMatchObject([
    {
      ...{ first: 'Haile', last: 'Bikila', tags: ['vip'] },
      custom: { age: 31, member: true, city: 'Jimma', new: 'x' },
    },
  ]);
  const found = await call('GET', '/api/v1/contacts?search=haile+bikila');
  expect(found.body.data).toHaveLength(1);
});

test('the rejects are a file that is imported again once it is put right', async () => {
  const { body } = await upload('Phone,First Name,City\n0911,"=1+1","Adama, ""East"""\n0922345678,Sara,\n');
  expect(body).toMatchObject({ imported: 1, rejected: 1 });
  const rejects = await rejectsOf(body.id as string);
  expect(rejects.headers.get('content-disposition')).toContain('attachment');
  expect(rejects.body).toMatch(
    /^\ufeff?Phone,First Name,City,rejectedLine,rejectedReason\r\n0911,'=1\+1,"Adama, ""East""",2,/,
  );
  const again = await upload((rejects.body as string).replace('0911,', '0911234567,'));
  expect(again.body).toMatchObject({ imported: 1, updated: 0, rejected: 0 });
  expect((await stored()).at(-1)).toMatchObject({ first: '=1+1', custom: { City: 'Adama, "East"' } });
});

test('a row that was skipped is not among the rejects, which imported again as they are overwrite nothing', async () => {
  const { body } = await upload('phone,firstName\n0911234567,First\n0911,\n0911234567,Second\n');
  expect(body).toMatchObject({ imported: 1, skipped: 1, rejected: 1 });
  expect(body.errors).toMatchObject([{ line: 3 }, { line: 4, code: 'duplicate_row' }]);
  const rejects = (await rejectsOf(body.id as string)).body as string;
  expect(rejects).toContain('0911,');
  expect(rejects).not.toContain('Second');
  expect((await upload(rejects)).body).toMatchObject({ imported: 0, updated: 0, rejected: 1 });
  expect(await stored()).toMatchObject([{ first: 'First' }]);
});

test('an import and its rejects are seen by nobody else, and nothing of the file is kept', async () => {
  const { body } = await upload('phone\n0911\n');
  const theirs = { key: await (await createTenant(db.database)).createKey() };
  const target = `/api/v1/contacts/imports/${body.id}`;
  expect((await call('GET', target)).body).toEqual(body);
  expect((await api.call('GET', target, theirs)).status).toBe(404);
  expect((await api.call('GET', `${target}/rejects`, theirs)).status).toBe(404);
  expect((await call('GET', '/api/v1/contacts/imports/x')).status).toBe(404);
  for (const table of ['contact_import_chunks', 'contact_import_numbers']) {
    expect(await db.query(`select from ${table} where import_id = ?`, [body.id])).toEqual([]);
  }
});

describe('the rows that an import did not take', () => {
  const countRejects = async (id: string) =>
    (await db.query('select from contact_import_rejects where import_id = ?', [id])).length;
  const endedDaysAgo = (id: string, days: number) =>
    db.query(`update contact_imports set completed_at = now() - make_interval(secs => ?) where id = ?`, [
      days * 86_400,
      id,
    ]);

  test('are kept for 30 days, as the import says; then they are 410, and its errors are none', async () => {
    const { body } = await upload('phone\n0911\n0922345678\n');
    const { id, completedAt, rejectsExpireAt } = body as Record<
      'id' | 'completedAt' | 'rejectsExpireAt',
      string
    >;
    expect(Date.parse(rejectsExpireAt) - Date.parse(completedAt)).toBe(30 * 86_400_000);
    await endedDaysAgo(id, 29.9);
    expect((await rejectsOf(id)).status).toBe(200);
    await endedDaysAgo(id, 30.1);
    const gone = await rejectsOf(id);
    expect(gone.body).toMatchObject({ status: 410, code: 'rejects_expired' });
    expect(gone.body.detail).toContain('Import the file again');
    const late = await call('GET', `/api/v1/contacts/imports/${id}`);
    expect(late.body).toMatchObject({ imported: 1, rejected: 1, errors: [] });
    expect(Date.parse(late.body.rejectsExpireAt as string)).toBeLessThan(Date.now());
  });

  test('are deleted then, in portions, by several workers at once, and others stay', async () => {
    const rows = Array.from({ length: 25 }, (_none, index) => index).join('\n');
    const [old, older, recent] = await Promise.all(
      [1, 2, 3].map(async () => (await upload(`phone\n${rows}\n`)).body.id as string),
    );
    await endedDaysAgo(old!, 31);
    await endedDaysAgo(older!, 400);
    await endedDaysAgo(recent!, 29);
    await Promise.all([1, 2, 3].map(() => removeExpiredRejects(db.database, { rowsAtOnce: 10 })));
    expect(await Promise.all([old, older, recent].map((id) => countRejects(id!)))).toEqual([0, 0, 25]);
    const open = await db.query<{ id: string }>('select id from contact_imports where not rejects_removed');
    expect(open.map(({ id }) => id)).toContain(recent);
    expect(open.map(({ id }) => id)).not.toContain(old);
    expect((await call('GET', `/api/v1/contacts/imports/${old}`)).body).toMatchObject({ rejected: 25 });
  });

  test('of a file that was taken whole, or that is being read, never expire', async () => {
    const { body } = await upload('phone\n0911234567\n');
    expect(body).toMatchObject({ rejected: 0, rejectsExpireAt: null });
    await endedDaysAgo(body.id as string, 31);
    expect((await rejectsOf(body.id as string)).status).toBe(200);
    expect((await upload(largeCsv(6000))).body).toMatchObject({
      status: 'processing',
      rejectsExpireAt: null,
    });
  });
});

test('an import is in the audit log, with who did it and nothing of the file; one that was refused is not', async () => {
  const { body } = await upload('phone,first name\n0911234567,Abebe\n');
  await upload('no,header\n0911234567,Abebe\n');
  const events = await db.query('select * from audit_events where organization_id = ?', [organizationId]);
  const imported = events.filter((event) => (event as { action: string }).action === 'contacts.imported');
  expect(imported).toMatchObject([
    { actor_kind: 'api_key', subject_id: body.id, details: { sizeBytes: 34 } },
  ]);
  expect(JSON.stringify(imported)).not.toMatch(/911234567|Abebe/);
});

/** A file that is too large to be done in its request. */
function largeCsv(rows: number, first = 0): string {
  const lines = Array.from({ length: rows }, (_none, index) => {
    const number = 911_000_000 + first + index;
    return `0${number},Abebe ${index},Bikila,abebe${index}@example.com,vip;addis,Adama`;
  });
  return `phone,first name,last name,email,tags,city\n${lines.join('\n')}\n`;
}

test('a large file waits while Temporal is down, and is worked off page by page, by two at once too', async () => {
  const begun = await upload(largeCsv(6000));
  expect(begun.status).toBe(202);
  expect(begun.body).toMatchObject({ status: 'processing', imported: 0, completedAt: null });
  const input = { organizationId, importId: begun.body.id as string };
  // Pages overlap, as when a worker that was held for dead goes on beside another.
  for (let done = false; !done;) {
    const pages = await Promise.all([1, 2, 3].map(() => importPage(db.database, input, new Date())));
    const { body } = await call('GET', `/api/v1/contacts/imports/${input.importId}`);
    expect((await stored()).length).toBe(body.imported);
    done = pages.some((page) => page.done);
  }
  const { body } = await call('GET', `/api/v1/contacts/imports/${input.importId}`);
  expect(body).toMatchObject({ status: 'completed', imported: 6000, updated: 0, skipped: 0, rejected: 0 });
});

test.each([
  ['a broken constraint', '23514', 'failed'],
  ['a value that cannot be stored', '22P05', 'failed'],
  ['a deadlock', '40P01', 'processing'],
  ['a full disk', '53100', 'processing'],
])('an import whose page fails by %s (%s) is %s', async (_what, code, status) => {
  const begun = await upload(largeCsv(6000));
  const input = { organizationId, importId: begun.body.id as string };
  await importPage(db.database, input, new Date());
  const { imported } = (await call('GET', `/api/v1/contacts/imports/${input.importId}`)).body;
  await db.query(`create function refuse_row() returns trigger language plpgsql as $$
    begin raise exception 'refused' using errcode = '${code}'; end $$`);
  await db.query(`create trigger refuse_row before insert on contacts for each row
    when (new.organization_id = '${organizationId}') execute function refuse_row()`);
  await expect(importPage(db.database, input, new Date())).rejects.toThrow('refused');
  await db.query('drop function refuse_row cascade');
  const hasFailed = status === 'failed';
  const { body } = await call('GET', `/api/v1/contacts/imports/${input.importId}`);
  expect(body).toMatchObject({
    ...{ status, imported, completedAt: hasFailed ? expect.any(String) : null },
    failure: hasFailed ? { code: 'processing_failed', message: expect.stringContaining('permanent') } : null,
  });
  const parts = await db.query(`select from contact_import_chunks where import_id = ?`, [input.importId]);
  expect(parts.length > 0).toBe(!hasFailed);
  // The next attempt: it reads that the import has failed, or takes the page.
  const next = await importPage(db.database, input, new Date());
  expect({ done: next.done, hasGoneOn: next.imported > imported }).toEqual({
    ...{ done: hasFailed, hasGoneOn: !hasFailed },
  });
});

test('imports at the same time, and creations among them, make each number one contact', async () => {
  const files = [largeCsv(3000), largeCsv(3000, 1500)];
  const begun = await Promise.all(files.map((csv) => upload(csv)));
  const run = async ({ body }: Answer): Promise<void> => {
    const input = { organizationId, importId: body.id as string };
    while (!(await importPage(db.database, input, new Date())).done);
  };
  const create = (index: number): Promise<Answer> =>
    call('POST', '/api/v1/contacts', {
      json: { organizationId, phoneNumber: `0${911_000_000 + index * 45}` },
    });
  const [, ...created] = await Promise.all([
    Promise.all(begun.map(run)),
    ...Array.from({ length: 100 }, (_none, index) => create(index)),
  ]);
  expect(created.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
  const made = created.filter(({ status }) => status === 201).length;
  const records = await Promise.all(
    begun.map(async ({ body }) => (await call('GET', `/api/v1/contacts/imports/${body.id}`)).body),
  );
  const sum = (name: string): number =>
    records.reduce((total, record) => total + (record[name] as number), 0);
  expect(await stored()).toHaveLength(4500);
  expect([sum('imported') + made, sum('imported') + sum('updated'), sum('rejected')]).toEqual([
    4500, 6000, 0,
  ]);
});
