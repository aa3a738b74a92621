import { startTestApi, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, makeAdministrator, problemOf, signUp, type Person } from '../helpers/people.ts';

const path = '/api/v1/admin/sender-ids';

let db: TestDatabase;
let api: TestApi;
let administrator: Person;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  [administrator, owner] = [await signUp(api, { name: 'Ada' }), await signUp(api, { name: 'Almaz' })];
  await makeAdministrator(db, administrator);
  ({ organizationId } = await createOrganization(owner));
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

let values = 0;
async function ask(
  as: { person: Person; organizationId: string },
  value?: string,
): Promise<{ id: string; value: string }> {
  values += 1;
  const json = {
    organizationId: as.organizationId,
    value: value ?? `Sender ${values}`,
    useCase: 'Tells customers where their parcels are.',
    sampleMessage: 'Your parcel is ready.',
  };
  const { status, body } = await as.person.call('POST', '/api/v1/sender-ids', { json });
  expect(status).toBe(201);
  return body;
}

const ours = () => ({ person: owner, organizationId });
const review = (id: string, json: object) => administrator.call('PATCH', `${path}/${id}/review`, { json });
const approve = (id: string, more: object = {}) => review(id, { action: 'approve', ...more });

async function newOrganization(): Promise<{ person: Person; organizationId: string }> {
  const person = await signUp(api);
  return { person, organizationId: (await createOrganization(person)).organizationId };
}

const rowOf = async (id: string) =>
  (
    await db.query<{ status: string; is_default: boolean; review_reason: string | null }>(
      'select status, is_default, review_reason from sender_ids where id = ?',
      [id],
    )
  )[0];
const defaultsOf = async (organization: string) =>
  (
    await db.query<{ id: string }>('select id from sender_ids where organization_id = ? and is_default', [
      organization,
    ])
  ).map(({ id }) => id);
const auditOf = (id: string) =>
  db.query<{ action: string }>(
    'select action, actor_id, organization_id, details from audit_events where subject_id = ?',
    [id],
  );

describe('a review', () => {
  test('that approves lets the organization send, is kept in its log, and is mailed to who asked', async () => {
    const as = await newOrganization();
    const { id, value } = await ask(as, 'New-Parcels24');
    const { status, body } = await approve(id, { reason: ' Checked. ' });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        ...{ id, value, status: 'approved', isDefault: true, reviewReason: ' Checked. ' },
        organizationName: 'Acme',
        requestedBy: { kind: 'user', id: as.person.userId, name: 'Abebe Bikila', email: as.person.email },
        warnings: [expect.stringContaining('“New-Parcels”')],
        reviewedAt: expect.any(String),
      },
    });
    const sent = await as.person.call('POST', '/api/v1/messages', {
      json: { organizationId: as.organizationId, to: '0911234567', text: 'x' },
    });
    expect({ status: sent.status, from: sent.body.from }).toEqual({ status: 202, from: value });
    expect(await auditOf(id)).toEqual([
      {
        action: 'sender_id.approved',
        actor_id: administrator.userId,
        organization_id: as.organizationId,
        details: { value },
      },
    ]);
    const log = await as.person.call('GET', `/api/v1/audit-events?organizationId=${as.organizationId}`);
    expect(log.body.data).toContainEqual(
      expect.objectContaining({ action: 'sender_id.approved', subjectId: id }),
    );
    const mails = api.mails.filter(({ to, text }) => to === as.person.email && text.includes(value));
    expect(mails).toEqual([
      {
        to: as.person.email,
        subject: 'Your sender ID is approved',
        text: expect.stringContaining('"Acme" may now send'),
      },
    ]);
  });

  test('that rejects says why, in the record and in the mail', async () => {
    const { id, value } = await ask(ours());
    const { status, body } = await review(id, {
      action: 'reject',
      reason: 'Say whose parcels.',
      isDefault: false,
    });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: 'rejected', isDefault: false, reviewReason: 'Say whose parcels.' },
    });
    expect(await auditOf(id)).toMatchObject([
      { action: 'sender_id.rejected', organization_id: organizationId },
    ]);
    const mail = api.mails.find(
      ({ subject, text }) => subject === 'Your sender ID is rejected' && text.includes(value),
    );
    expect(mail).toMatchObject({ to: owner.email, text: expect.stringContaining('Say whose parcels.') });
  });

  test('of a key’s request names the key, and mails nobody', async () => {
    const json = { organizationId, name: 'Orders', environment: 'live', permissions: ['sender-ids:write'] };
    const { body: key } = await owner.call('POST', '/api/v1/api-keys', { json });
    const { body: made } = await api.call('POST', '/api/v1/sender-ids', {
      key: key.key,
      json: { value: 'Keyed', useCase: 'Tells where parcels are.', sampleMessage: 'x' },
    });
    const before = api.mails.length;
    const { body } = await approve(made.id);
    expect(body.requestedBy).toEqual({ kind: 'api_key', id: key.id, name: 'Orders', email: null });
    expect(api.mails.length).toBe(before);
  });

  test('of a sender that nobody asked for is made all the same, and mails nobody', async () => {
    const { id } = await ask(ours());
    await db.query('update sender_ids set requested_by_kind = null, requested_by_id = null where id = ?', [
      id,
    ]);
    expect((await approve(id)).body).toMatchObject({ status: 'approved', requestedBy: null });
  });

  test('comes in all three encodings', async () => {
    const encodings: ((fields: Record<string, string>) => CallOptions)[] = [
      (fields) => ({ json: { ...fields, isDefault: false } }),
      (form) => ({ form: { ...form, isDefault: 'false' } }),
      (multipart) => ({ multipart: { ...multipart, isDefault: 'false' } }),
    ];
    for (const encode of encodings) {
      const { id } = await ask(ours());
      const options = encode({ action: 'approve', reason: 'ok' });
      const { status, body } = await administrator.call('PATCH', `${path}/${id}/review`, options);
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { id, status: 'approved', isDefault: false, reviewReason: 'ok' },
      });
    }
  });

  // prettier-ignore
  test.each<[string, Record<string, unknown>, string, string]>([
    ['no action', {}, '/body/action', 'required'],
    ['an action there is not', { action: 'delete' }, '/body/action', 'not_allowed'],
    ['a rejection without reason', { action: 'reject' }, '/body/reason', 'required'],
    ['a reason of 1001 characters', { action: 'reject', reason: 'x'.repeat(1001) }, '/body/reason', 'too_long'],
    ['a rejected default', { action: 'reject', reason: 'x', isDefault: true }, '/body/isDefault', 'not_allowed'],
    ['a string for a boolean', { action: 'approve', isDefault: 'true' }, '/body/isDefault', 'wrong_type'],
    ['a value', { action: 'approve', value: 'Other' }, '/body/value', 'unknown_field'],
  ])('with %s is refused and changes nothing', async (_name, json, at, code) => {
    const { id } = await ask(ours());
    const { body } = await review(id, json);
    expect(body).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(body.errors).toEqual([{ path: at, code, message: expect.any(String) }]);
    expect(await rowOf(id)).toMatchObject({ status: 'pending' });
    expect(await auditOf(id)).toEqual([]);
  });

  test.each(['approve', 'reject'])(
    'of one that was reviewed, to %s it, is refused and changes nothing',
    async (action) => {
      for (const first of ['approve', 'reject']) {
        const { id } = await ask(ours());
        await review(id, { action: first, reason: 'first', isDefault: false });
        const answer = await review(id, { action, reason: 'second' });
        expect(problemOf(answer)).toEqual({ status: 409, code: 'invalid_state' });
        expect(answer.body.detail).toContain(first === 'approve' ? 'approved' : 'rejected');
        expect(await rowOf(id)).toMatchObject({ review_reason: 'first' });
        expect(await auditOf(id)).toHaveLength(1);
      }
    },
  );

  test.each(['x', '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11'])('of %s finds nothing', async (id) => {
    expect(problemOf(await approve(id))).toEqual({ status: 404, code: 'not_found' });
  });

  test('of two at the same moment, one counts', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = await ask(ours());
      const answers = await Promise.all([
        approve(id, { isDefault: false }),
        review(id, { action: 'reject', reason: 'No.' }),
        approve(id),
      ]);
      const winners = answers.filter(({ status }) => status === 200);
      expect(winners).toHaveLength(1);
      expect(await rowOf(id)).toMatchObject({ status: winners[0]!.body.status });
      expect(await auditOf(id)).toHaveLength(1);
    }
  });
});

describe('one approved owner of a value', () => {
  test('the second is told whom to ask, whatever the case of its letters, and stays pending', async () => {
    const [first, second] = [await newOrganization(), await newOrganization()];
    const [taken, wanted] = [await ask(first, 'Habesha'), await ask(second, 'HABESHA')];
    await approve(taken.id);
    const answer = await approve(wanted.id);
    expect(problemOf(answer)).toEqual({ status: 409, code: 'already_exists' });
    expect(answer.body.detail).toContain(
      `Habesha is approved for the organization Acme (${first.organizationId})`,
    );
    expect(await rowOf(wanted.id)).toMatchObject({ status: 'pending', is_default: false });
    expect(await auditOf(wanted.id)).toEqual([]);
    expect((await review(wanted.id, { action: 'reject', reason: 'Taken.' })).status).toBe(200);
  });

  test('a short code may have several, a number may not', async () => {
    const [first, second] = [await newOrganization(), await newOrganization()];
    for (const [value, status] of [
      ['8100', 200],
      ['0911000111', 409],
    ] as const) {
      const [one, other] = [await ask(first, value), await ask(second, value)];
      await approve(one.id);
      expect((await approve(other.id)).status).toBe(status);
    }
  });

  test('of five approved at the same moment, one has it', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, newOrganization));
    const asked = await Promise.all(all.map((as) => ask(as, 'Contested')));
    const answers = await Promise.all(asked.map(({ id }) => approve(id)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409, 409, 409,
    ]);
    const approved = await db.query(
      `select from sender_ids where value = 'Contested' and status = 'approved'`,
    );
    expect(approved).toHaveLength(1);
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      expect(body).toMatchObject({
        code: 'already_exists',
        detail: expect.stringContaining('Contested is approved'),
      });
    }
  });
});

describe('the default sender', () => {
  test('is the first that was approved, until another is made it', async () => {
    const as = await newOrganization();
    const [first, second, third] = [await ask(as), await ask(as), await ask(as)];
    await approve(first.id);
    expect(await defaultsOf(as.organizationId)).toEqual([first.id]);
    await approve(second.id);
    expect(await defaultsOf(as.organizationId)).toEqual([first.id]);
    expect((await approve(third.id, { isDefault: true })).body.isDefault).toBe(true);
    expect(await defaultsOf(as.organizationId)).toEqual([third.id]);
  });

  test('moves to one that is approved already, once and back again, and mails nobody', async () => {
    const as = await newOrganization();
    const [first, second] = [await ask(as), await ask(as)];
    await approve(first.id, { reason: 'ok' });
    await approve(second.id);
    const mails = api.mails.length;
    for (const { id, events } of [
      { id: second.id, events: 1 },
      { id: second.id, events: 1 },
      { id: first.id, events: 1 },
    ]) {
      const { status, body } = await approve(id, { isDefault: true });
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { id, status: 'approved', isDefault: true },
      });
      expect(await defaultsOf(as.organizationId)).toEqual([id]);
      const made = (await auditOf(id)).filter(({ action }) => action === 'sender_id.made_default');
      expect(made).toHaveLength(events);
      expect(made[0]).toMatchObject({ organization_id: as.organizationId, details: expect.anything() });
    }
    expect(await rowOf(first.id)).toMatchObject({ review_reason: 'ok' });
    expect(api.mails).toHaveLength(mails);
  });

  test('is not taken from an approved one but by another, and the refusal says how', async () => {
    const as = await newOrganization();
    const { id } = await ask(as);
    await approve(id);
    for (const more of [{ isDefault: false }, {}]) {
      const answer = await approve(id, more);
      expect(problemOf(answer)).toEqual({ status: 409, code: 'invalid_state' });
      expect(answer.body.detail).toContain('isDefault true');
    }
    expect(await defaultsOf(as.organizationId)).toEqual([id]);
  });

  test('moves to one of five who are made so at the same moment', async () => {
    const as = await newOrganization();
    const asked = [];
    for (let number = 0; number < 5; number += 1) asked.push(await ask(as));
    for (const { id } of asked) await approve(id);
    const answers = await Promise.all(asked.map(({ id }) => approve(id, { isDefault: true })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await defaultsOf(as.organizationId)).toHaveLength(1);
  });

  test('is none where the reviewer says so', async () => {
    const as = await newOrganization();
    await approve((await ask(as)).id, { isDefault: false });
    expect(await defaultsOf(as.organizationId)).toEqual([]);
  });

  test('of five made so at the same moment is one, and all are approved', async () => {
    const as = await newOrganization();
    const asked = [];
    for (let number = 0; number < 5; number += 1) asked.push(await ask(as));
    const answers = await Promise.all(
      asked.map(({ id }, index) => approve(id, index % 2 === 0 ? { isDefault: true } : {})),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await defaultsOf(as.organizationId)).toHaveLength(1);
  });
});

describe('the list of all', () => {
  const list = async (query: string) => (await administrator.call('GET', `${path}?${query}`)).body;

  test('names organization and requester, in the status and with the text that are asked for', async () => {
    const as = await newOrganization();
    await db.query(`update organizations set name = 'Blue 100% Nile' where id = ?`, [as.organizationId]);
    const [first, second] = [await ask(as, 'Nile_1'), await ask(as, 'Other-One')];
    const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
    expect(idsOf(await list('search=nile'))).toEqual([second.id, first.id]);
    expect(idsOf(await list('search=100%25'))).toEqual([second.id, first.id]);
    expect(idsOf(await list('search=nile_'))).toEqual([first.id]);
    await approve(first.id);
    expect(idsOf(await list('search=nile&status=pending'))).toEqual([second.id]);
    expect((await list('search=nile&status=approved')).data[0]).toMatchObject({
      organizationName: 'Blue 100% Nile',
      requestedBy: { kind: 'user', name: 'Abebe Bikila', email: as.person.email },
    });
  });

  test('goes on where the page before ended', async () => {
    const all = (await list('limit=200')).data;
    const first = await list('limit=3');
    const second = await list(`limit=200&cursor=${first.pagination.nextCursor}`);
    expect([...first.data, ...second.data]).toEqual(all);
  });

  test.each(['status=done', 'limit=201', 'cursor=x', 'page=1'])('%s is refused', async (query) => {
    expect(await list(query)).toMatchObject({ status: 400, code: 'invalid_request' });
  });
});
