import { permissions } from '../../src/auth/permissions.ts';
import { startTestApi, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { signUp, type Person } from '../helpers/people.ts';
import { until } from '../helpers/until.ts';

let db: TestDatabase;
let api: TestApi;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  owner = await signUp(api);
  organizationId = await createOrganization(owner);
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

let organizations = 0;

async function createOrganization(person: Person): Promise<string> {
  organizations += 1;
  const answer = await person.post('/organization/create', { name: 'Acme', slug: `acme-${organizations}` });
  expect(answer.status).toBe(200);
  return answer.body.id as string;
}

/** Someone who has joined the organization with a role. */
async function join(role: 'admin' | 'member'): Promise<Person> {
  const person = await signUp(api);
  const invitation = await owner.post('/organization/invite-member', {
    email: person.email,
    role,
    organizationId,
  });
  expect(
    (await person.post('/organization/accept-invitation', { invitationId: invitation.body.id })).status,
  ).toBe(200);
  return person;
}

const input = () => ({
  organizationId,
  name: 'Order service',
  environment: 'live',
  permissions: ['messages:send', 'messages:read'],
  metadata: { service: 'orders', tags: ['a', 'b'] },
});

async function createKey(change: Record<string, unknown> = {}) {
  const answer = await owner.call('POST', '/api/v1/api-keys', { json: { ...input(), ...change } });
  expect(answer.status).toBe(201);
  return answer.body;
}

async function countKeys(): Promise<number> {
  const [row] = await db.query<{ count: string }>('select count(*) from api_keys');
  return Number(row!.count);
}

describe('making a key', () => {
  test('the whole key is shown this once; what is stored is a digest', async () => {
    const made = await createKey();
    expect(made).toMatchObject({ ...input(), lastUsedAt: null, revokedAt: null, expiresAt: null });
    expect(made.key).toMatch(/^sms_live_[^_]+_[^_]+$/);
    expect(made.key.startsWith(`${made.prefix}_`)).toBe(true);
    const listed = await owner.call('GET', `/api/v1/api-keys/?organizationId=${organizationId}`);
    expect(listed.body.data[0]).toEqual({ ...made, key: undefined });
    const secret = made.key.split('_').at(-1) as string;
    const tables = await db.query<{ row: string }>(
      'select api_keys::text as row from api_keys union all select audit_events::text from audit_events',
    );
    for (const { row } of tables) expect(row).not.toContain(secret);
    const read = await api.call('GET', '/api/v1/messages', { key: made.key });
    expect(read.status).toBe(200);
  });

  test('the three encodings make the same key', async () => {
    const fields = { organizationId, name: 'Form', environment: 'test' };
    const encodings: Record<string, CallOptions> = {
      json: {
        json: { ...fields, permissions: ['messages:send', 'messages:read'], metadata: { tags: ['x'] } },
      },
      repeated: {
        form: new URLSearchParams([
          ...Object.entries(fields),
          ['permissions', 'messages:send'],
          ['permissions', 'messages:read'],
          ['metadata[tags][]', 'x'],
        ]),
      },
      brackets: {
        form: new URLSearchParams([
          ...Object.entries(fields),
          ['permissions[]', 'messages:send'],
          ['permissions[]', 'messages:read'],
          ['metadata', '{"tags":["x"]}'],
        ]),
      },
      multipart: {
        multipart: { ...fields, permissions: '["messages:send","messages:read"]', 'metadata[tags][0]': 'x' },
      },
    };
    for (const [encoding, body] of Object.entries(encodings)) {
      const answer = await owner.call('POST', '/api/v1/api-keys', body);
      expect({ encoding, status: answer.status, body: answer.body }).toMatchObject({
        encoding,
        status: 201,
        body: { ...fields, permissions: ['messages:send', 'messages:read'], metadata: { tags: ['x'] } },
      });
    }
  });

  // prettier-ignore
  test.each<[string, Record<string, unknown>]>([
    ['no name', { name: undefined }],
    ['an empty name', { name: '' }],
    ['a name of 81 characters', { name: 'x'.repeat(81) }],
    ['no environment', { environment: undefined }],
    ['an unknown environment', { environment: 'staging' }],
    ['no permissions', { permissions: undefined }],
    ['an empty list of permissions', { permissions: [] }],
    ['29 permissions', { permissions: [...permissions, 'messages:send'] }],
    ['an unknown permission', { permissions: ['messages:delete'] }],
    ['a permission of sessions', { permissions: ['organization:manage'] }],
    ['21 tags', { metadata: { tags: Array.from({ length: 21 }, () => 'x') } }],
    ['a tag of 51 characters', { metadata: { tags: ['x'.repeat(51)] } }],
    ['an empty tag', { metadata: { tags: [''] } }],
    ['a service of 101 characters', { metadata: { service: 'x'.repeat(101) } }],
    ['a description of 501 characters', { metadata: { description: 'x'.repeat(501) } }],
    ['an unknown field in metadata', { metadata: { colour: 'red' } }],
    ['an expiry that is no time', { expiresAt: 'tomorrow' }],
    ['an expiry on a day that there is not', { expiresAt: '2099-02-30T00:00:00Z' }],
    ['an expiry at an offset that there is not', { expiresAt: '2099-01-01T00:00:00+99:00' }],
    ['an expiry that has passed', { expiresAt: '2020-01-01T00:00:00.000Z' }],
    ['an unknown field', { colour: 'red' }],
    ['no organization', { organizationId: undefined }],
  ])('%s is refused, and leaves no key', async (_name, change) => {
    const before = await countKeys();
    const answer = await owner.call('POST', '/api/v1/api-keys', { json: { ...input(), ...change } });
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(await countKeys()).toBe(before);
  });
});

describe('who may manage keys', () => {
  test('an admin may, a member may not, a stranger knows nothing of the organization, and no key may', async () => {
    const [admin, member, stranger] = [await join('admin'), await join('member'), await signUp(api)];
    const made = await createKey({ permissions: [...permissions] });
    const calls: [string, string, CallOptions][] = [
      ['GET', `/api/v1/api-keys?organizationId=${organizationId}`, {}],
      ['POST', '/api/v1/api-keys', { json: input() }],
      ['PATCH', `/api/v1/api-keys/${made.id}`, { json: { organizationId, name: 'Renamed' } }],
      ['GET', `/api/v1/audit-events?organizationId=${organizationId}`, {}],
      ['DELETE', `/api/v1/api-keys/${made.id}?organizationId=${organizationId}`, {}],
    ];
    const bodiesOfStranger = new Set<string>();
    for (const [method, path, options] of calls) {
      const before = await db.query('select * from api_keys order by id');
      expect((await member.call(method, path, options)).body).toMatchObject({
        status: 403,
        code: 'permission_denied',
      });
      expect((await api.call(method, path, { key: made.key, ...options })).body).toMatchObject({
        status: 403,
        code: 'permission_denied',
      });
      expect((await api.call(method, path, options)).body).toMatchObject({
        status: 401,
        code: 'unauthenticated',
      });
      const strange = await stranger.call(method, path, options);
      bodiesOfStranger.add(JSON.stringify({ ...strange.body, requestId: '' }));
      const columns = (rows: Record<string, unknown>[]) =>
        rows.map((row) => ({ ...row, last_used_at: null }));
      expect(columns(await db.query('select * from api_keys order by id'))).toEqual(
        columns(before as Record<string, unknown>[]),
      );
      expect((await admin.call(method, path, options)).status).toBeLessThan(300);
    }
    expect([...bodiesOfStranger].map((body) => JSON.parse(body).code)).toEqual(['not_found']);
  });

  test('a key of another organization is as unknown as one that does not exist', async () => {
    const other = await signUp(api);
    const otherOrganization = await createOrganization(other);
    const made = await createKey();
    for (const id of [made.id, '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11', 'no-uuid']) {
      const changed = await other.call('PATCH', `/api/v1/api-keys/${id}`, {
        json: { organizationId: otherOrganization, name: 'x' },
      });
      const revoked = await other.call(
        'DELETE',
        `/api/v1/api-keys/${id}?organizationId=${otherOrganization}`,
      );
      expect([changed.body.code, revoked.body.code]).toEqual(['not_found', 'not_found']);
    }
    expect((await api.call('GET', '/api/v1/messages', { key: made.key })).status).toBe(200);
  });
});

describe('changing and revoking', () => {
  test('what is not named stays; an expiry is set and lifted; permissions hold from the next request on', async () => {
    const made = await createKey();
    const change = async (json: Record<string, unknown>) =>
      (await owner.call('PATCH', `/api/v1/api-keys/${made.id}`, { json: { organizationId, ...json } })).body;
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    expect(await change({ expiresAt })).toMatchObject({
      name: made.name,
      expiresAt,
      permissions: made.permissions,
    });
    expect(await change({ expiresAt: null, name: 'Renamed' })).toMatchObject({
      name: 'Renamed',
      expiresAt: null,
    });
    const send = async () => {
      const json = { to: '0911234567', text: 'x' };
      return (await api.call('POST', '/api/v1/messages', { key: made.key, json })).body.code as string;
    };
    expect(await send()).toBe('sender_required');
    await change({ permissions: ['messages:read'] });
    expect(await send()).toBe('permission_denied');
    await change({ permissions: ['messages:read', 'messages:send'] });
    expect(await send()).toBe('sender_required');
  });

  test('a revoked key is refused by the process that revokes it at once, by every other within a second, for good', async () => {
    const other = await startTestApi({ database: db.database });
    const made = await createKey();
    for (const one of [api, other])
      expect((await one.call('GET', '/api/v1/messages', { key: made.key })).status).toBe(200);
    const path = `/api/v1/api-keys/${made.id}?organizationId=${organizationId}`;
    expect((await owner.call('DELETE', path)).status).toBe(204);
    const codeBy = async (one: TestApi) =>
      (await one.call('GET', '/api/v1/messages', { key: made.key })).body.code as string;
    expect(await codeBy(api)).toBe('api_key_revoked');
    await until('the key to be refused', async () => (await codeBy(other)) === 'api_key_revoked', 1000);
    expect((await owner.call('DELETE', path)).status).toBe(204);
    const changed = await owner.call('PATCH', `/api/v1/api-keys/${made.id}`, {
      json: { organizationId, name: 'x' },
    });
    expect(changed.body).toMatchObject({ status: 409, code: 'invalid_state' });
    await other.stop();
  });

  test('every change of a key is in the audit log, once, with who made it; the log cannot be changed', async () => {
    const made = await createKey({ name: 'Audited' });
    const path = `/api/v1/api-keys/${made.id}`;
    await owner.call('PATCH', path, { json: { organizationId, name: 'Audited again' } });
    await owner.call('DELETE', `${path}?organizationId=${organizationId}`);
    await owner.call('DELETE', `${path}?organizationId=${organizationId}`);
    const { body } = await owner.call('GET', `/api/v1/audit-events?organizationId=${organizationId}`);
    const events = body.data.filter(({ subjectId }: { subjectId: string }) => subjectId === made.id);
    expect(events.map(({ action }: { action: string }) => action)).toEqual([
      'api_key.revoked',
      'api_key.updated',
      'api_key.created',
    ]);
    expect(events[0]).toMatchObject({ actor: { kind: 'user', id: owner.userId }, organizationId });
    await expect(db.query(`update audit_events set action = 'api_key.created'`)).rejects.toThrow(
      'only ever added to',
    );
    await expect(db.query('delete from audit_events')).rejects.toThrow('only ever added to');
  });
});

test.each<[encoding: string, nothing: string | null]>([
  ['json', null],
  ['form', ''],
  ['multipart', ''],
])('what may be null is so by %s', async (encoding, nothing) => {
  const key = await createKey({ expiresAt: '2999-01-01T00:00:00.000Z' });
  const changed = await owner.call('PATCH', `/api/v1/api-keys/${key.id}`, {
    [encoding]: { organizationId, expiresAt: nothing },
  });
  expect([changed.status, changed.body.expiresAt]).toEqual([200, null]);
  const activate = (id: string | null) =>
    owner.call('POST', '/api/auth/organization/set-active', { [encoding]: { organizationId: id } });
  expect((await activate(organizationId)).body.id).toBe(organizationId);
  const left = await activate(nothing);
  expect([left.status, left.body]).toEqual([200, null]);
  expect((await owner.get('/get-session')).body.session.activeOrganizationId).toBeUndefined();
});
