import { randomInt } from 'node:crypto';
import { startTestApi, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, problemOf, signUp, type Person } from '../helpers/people.ts';

const path = '/api/v1/sender-ids';

let db: TestDatabase;
let api: TestApi;
let owner: Person;
let member: Person;
let organizationId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  [owner, member] = [await signUp(api), await signUp(api)];
  ({ organizationId } = await createOrganization(owner, [{ person: member, role: 'member' }]));
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const request = {
  useCase: 'Tells customers where their parcels are.',
  sampleMessage: 'Your parcel is ready.',
};
const ask = (json: object) => owner.call('POST', path, { json: { ...request, ...json } });
const stored = () => db.query<{ status: string }>('select * from sender_ids order by id');
const setStatus = (id: string, status: string) =>
  db.query(
    `update sender_ids set status = ?, review_reason = 'Say more.', reviewed_at = now() where id = ?`,
    [status, id],
  );

let values = 0;
async function make(status = 'pending'): Promise<{ id: string; value: string }> {
  values += 1;
  const { body } = await ask({ value: `Sender ${values}` });
  if (status !== 'pending') await setStatus(body.id, status);
  return body;
}

describe('asking for a sender ID', () => {
  test('it waits for its review, and who asked is kept', async () => {
    const { status, body } = await ask({ value: 'ACME', website: 'https://acme.example' });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        ...{ ...request, organizationId, value: 'ACME', website: 'https://acme.example' },
        ...{ status: 'pending', isDefault: false, warnings: [], reviewReason: null, reviewedAt: null },
        requestedBy: { kind: 'user', id: owner.userId },
      },
    });
    const listed = await member.call('GET', path);
    expect(listed.body.data).toEqual([body]);
  });

  test('a key’s request is the key’s', async () => {
    const json = { organizationId, name: 'k', environment: 'live', permissions: ['sender-ids:write'] };
    const made = await owner.call('POST', '/api/v1/api-keys', { json });
    const { body } = await api.call('POST', path, {
      key: made.body.key,
      json: { ...request, value: 'ByKey' },
    });
    expect(body.requestedBy).toEqual({ kind: 'api_key', id: made.body.id });
  });

  test('nobody can send from it before it is approved', async () => {
    await ask({ value: 'Eager' });
    const answer = await owner.call('POST', '/api/v1/messages', {
      json: { to: '0911234567', text: 'x', from: 'Eager' },
    });
    expect(problemOf(answer)).toEqual({ status: 422, code: 'sender_not_approved' });
  });

  test('the three encodings make the same request', async () => {
    const fields = { ...request, website: 'http://acme.example', organizationId };
    const encodings: [string, CallOptions][] = [
      ['As-json', { json: { ...fields, value: 'As-json' } }],
      ['As-form', { form: { ...fields, value: 'As-form' } }],
      ['As-parts', { multipart: { ...fields, value: 'As-parts' } }],
    ];
    for (const [value, options] of encodings) {
      const { status, body } = await owner.call('POST', path, options);
      expect({ status, body }).toMatchObject({ status: 201, body: { ...fields, value, status: 'pending' } });
    }
  });

  test('one of more than 11 characters is taken, with a warning', async () => {
    const { status, body } = await ask({ value: 'ACME-Parcels' });
    expect({ status, warnings: body.warnings }).toEqual({
      status: 201,
      warnings: [expect.stringContaining('“ACME-Parcel”')],
    });
  });

  test('a number is kept in E.164, whatever its spelling, and asked for once', async () => {
    const { body } = await ask({ value: '091 123 4567' });
    expect(body.value).toBe('+251911234567');
    expect(problemOf(await ask({ value: '+251911234567' }))).toEqual({ status: 409, code: 'already_exists' });
  });

  test.each([
    ['acme.example', []],
    ['our page', []],
    ['HTTPS://acme.example/ሰላም', []],
    [' javascript:alert(1)', [expect.stringContaining('code')]],
    ['java\tscript:alert(1)', [expect.stringContaining('code')]],
    ['java\r\nscript:alert(1)', [expect.stringContaining('code')]],
    ['\u0001\u001f javascript:alert(1)', [expect.stringContaining('code')]],
    ['data\n:text/html,<script>alert(1)</script>', [expect.stringContaining('code')]],
  ])('a website may be %j, and what could do harm is a warning', async (website, warnings) => {
    const { status, body } = await ask({ value: `S${randomInt(1e9)}`, website });
    expect({ status, body }).toMatchObject({ status: 201, body: { website, warnings } });
  });

  // prettier-ignore
  test.each<[string, Record<string, unknown>, string, string]>([
    ['no value', { value: undefined }, '/body/value', 'required'],
    ['a value of 2 characters', { value: 'AC' }, '/body/value', 'too_short'],
    ['a value of 21 characters', { value: 'A'.repeat(21) }, '/body/value', 'too_long'],
    ['an umlaut', { value: 'Müller' }, '/body/value', 'characters'],
    ['a Cyrillic letter that looks Latin', { value: 'Аcme' }, '/body/value', 'characters'],
    ['a space at the end', { value: 'Acme ' }, '/body/value', 'spacing'],
    ['the sender of test keys', { value: 'TEST' }, '/body/value', 'reserved'],
    ['the sender of test keys in another case', { value: 'tEst' }, '/body/value', 'reserved'],
    ['no letter and no number', { value: '---' }, '/body/value', 'no_letter'],
    ['a use case of 9 characters', { useCase: 'x'.repeat(9) }, '/body/useCase', 'too_short'],
    ['a use case of 1001 characters', { useCase: 'x'.repeat(1001) }, '/body/useCase', 'too_long'],
    ['no sample', { sampleMessage: undefined }, '/body/sampleMessage', 'required'],
    ['a sample of 1601 characters', { sampleMessage: 'x'.repeat(1601) }, '/body/sampleMessage', 'too_long'],
    ['a website of 501 characters', { website: `https://${'x'.repeat(493)}` }, '/body/website', 'too_long'],
    ['a status of its own', { status: 'approved' }, '/body/status', 'unknown_field'],
    ['a number as value', { value: 8100 }, '/body/value', 'wrong_type'],
  ])('%s is refused, and nothing is stored', async (_name, change, at, code) => {
    const before = await stored();
    const { body } = await ask({ value: 'Fine', ...change });
    expect(body).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(body.errors).toEqual([{ path: at, code, message: expect.any(String) }]);
    expect(await stored()).toEqual(before);
  });

  test('of ten requests for one value at once, one is made', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask({ value: 'Race' })));
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });

  test.each(['pending', 'approved', 'rejected'])(
    'in another case a value that is %s is refused, and the answer tells what to do',
    async (state) => {
      const { value } = await make(state);
      const before = await stored();
      const answer = await ask({ value: value.toUpperCase() });
      expect(problemOf(answer)).toEqual({ status: 409, code: 'already_exists' });
      expect(answer.body.detail).toContain('resubmitted by PATCH');
      expect(await stored()).toEqual(before);
    },
  );

  test('of ten requests at once for one value in two cases, one is made', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => ask({ value: index % 2 ? 'CASES' : 'Cases' })),
    );
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
  });

  test('another organization may ask for the same value in another case', async () => {
    const { value } = await make();
    const other = await signUp(api);
    await createOrganization(other);
    const json = { ...request, value: value.toUpperCase() };
    expect((await other.call('POST', path, { json })).status).toBe(201);
  });

  test('members may look, but not ask, resubmit or delete', async () => {
    const { id } = await make('rejected');
    const json = { ...request, value: 'Member' };
    const answers = [
      await member.call('POST', path, { json }),
      await member.call('PATCH', `${path}/${id}`, { json }),
      await member.call('DELETE', `${path}/${id}`),
    ];
    expect(answers.map(problemOf)).toEqual(answers.map(() => ({ status: 403, code: 'permission_denied' })));
  });
});

describe('resubmitting', () => {
  test('a rejected one is pending again, as it is asked for now, and the review is forgotten', async () => {
    const rejected = await make('rejected');
    const json = { ...request, value: rejected.value, useCase: 'Now with more to say.' };
    const { status, body } = await owner.call('PATCH', `${path}/${rejected.id}`, { json });
    expect({ status, body }).toEqual({
      status: 200,
      body: { ...rejected, ...json, website: null, status: 'pending', reviewReason: null, reviewedAt: null },
    });
  });

  test.each(['pending', 'approved'])('one that is %s is refused and stays', async (state) => {
    const { id } = await make(state);
    const before = await stored();
    const answer = await owner.call('PATCH', `${path}/${id}`, { json: { ...request, value: 'Other' } });
    expect(problemOf(answer)).toEqual({ status: 409, code: 'invalid_state' });
    expect(answer.body.detail).toContain(state);
    expect(await stored()).toEqual(before);
  });

  test('of five at once, one resubmits', async () => {
    const { id, value } = await make('rejected');
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => owner.call('PATCH', `${path}/${id}`, { json: { ...request, value } })),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409, 409, 409,
    ]);
  });

  test('it cannot become another of the organization’s', async () => {
    const [first, second] = [await make('rejected'), await make('approved')];
    const json = { ...request, value: second.value };
    const answer = await owner.call('PATCH', `${path}/${first.id}`, { json });
    expect(problemOf(answer)).toEqual({ status: 409, code: 'already_exists' });
    const inCapitals = { ...json, value: second.value.toUpperCase() };
    const another = await owner.call('PATCH', `${path}/${first.id}`, { json: inCapitals });
    expect(problemOf(another)).toEqual({ status: 409, code: 'already_exists' });
  });

  test('it may change the case of its own value, and the sender of test keys it cannot become', async () => {
    const { id, value } = await make('rejected');
    const resubmit = (to: string) =>
      owner.call('PATCH', `${path}/${id}`, { json: { ...request, value: to } });
    expect((await resubmit('test')).body).toMatchObject({ status: 400, errors: [{ code: 'reserved' }] });
    const { status, body } = await resubmit(value.toUpperCase());
    expect({ status, value: body.value }).toEqual({ status: 200, value: value.toUpperCase() });
  });
});

describe('deleting', () => {
  test.each([
    ['pending', 204],
    ['rejected', 204],
    ['approved', 409],
  ])('one that is %s is answered %d', async (state, status) => {
    const { id } = await make(state);
    const answer = await owner.call('DELETE', `${path}/${id}`);
    expect(answer.status).toBe(status);
    if (status === 409) expect(answer.body.code).toBe('invalid_state');
    expect(await db.query('select from sender_ids where id = ?', [id])).toHaveLength(status === 409 ? 1 : 0);
    if (status === 204) expect((await owner.call('DELETE', `${path}/${id}`)).status).toBe(404);
  });
});

test.each(['x', '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11'])(
  'an id that is none, %s, is not found',
  async (id) => {
    const json = { ...request, value: 'Fine' };
    const answers = [
      await owner.call('PATCH', `${path}/${id}`, { json }),
      await owner.call('DELETE', `${path}/${id}`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  },
);

describe('the list', () => {
  test('shows those in a status, and goes on where the page before ended', async () => {
    for (let number = 0; number < 3; number += 1) await make('rejected');
    const all = (await owner.call('GET', `${path}?status=rejected`)).body.data;
    expect(new Set(all.map(({ status }: { status: string }) => status))).toEqual(new Set(['rejected']));
    const first = (await owner.call('GET', `${path}?status=rejected&limit=2`)).body;
    const { nextCursor } = first.pagination;
    const second = (await owner.call('GET', `${path}?status=rejected&limit=200&cursor=${nextCursor}`)).body;
    expect([...first.data, ...second.data]).toEqual(all);
  });

  test.each(['status=done', 'limit=0', 'cursor=x', 'search=a'])('%s is refused', async (query) => {
    expect((await owner.call('GET', `${path}?${query}`)).body).toMatchObject({ status: 400 });
  });
});
