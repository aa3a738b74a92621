/**
 * A test over openapi.yaml: every operation with every kind of caller. An operation joins it by being written
 * there; none can be forgotten.
 */
import { isPermission, permissions } from '../../src/auth/permissions.ts';
import { loadContract, type Operation } from '../../src/http/contract/contract.ts';
import { startTestApi, type Answer, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { signUp, type Person } from '../helpers/people.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

const contract = loadContract();
const operations = contract.operations.map((operation): [string, Operation] => [
  `${operation.method} ${operation.path}`,
  operation,
]);
const ofOrganizations = operations.filter(
  ([, { permission }]) => isPermission(permission) || permission.startsWith('organization:'),
);

let db: TestDatabase;
let api: TestApi;
let tenant: Tenant;
let stranger: Tenant;
let member: Person;
let strangersOwner: Person;
let keyId: string;
let scheduleId: string;
let messageId: string;
let verificationId: string;
let deliveryId: string;
let catalogIds: Record<string, string>;
let contactId: string;
let importId: string;
let listId: string;
let bulkSmsId: string;
let inboundMessageId: string;
let erasureId: string;
let alarmId: string;
let ruleId: string;
let fullKey: string;
let strangersKey: string;
const keysWithout = new Map<string, string>();

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  [tenant, stranger] = [await createTenant(db.database), await createTenant(db.database)];
  fullKey = await tenant.createKey();
  strangersKey = await stranger.createKey();
  for (const permission of permissions) {
    const others = permissions.filter((other) => other !== permission);
    keysWithout.set(permission, await tenant.createKey({ permissions: others }));
  }
  [member, strangersOwner] = [await signUp(api), await signUp(api)];
  for (const [person, { organizationId }, role] of [
    [member, tenant, 'member'],
    [strangersOwner, stranger, 'owner'],
  ] as const) {
    await db.query(
      `insert into members (id, organization_id, user_id, role, created_at) values (gen_random_uuid(), ?, ?, ?, now())`,
      [organizationId, person.userId, role],
    );
  }
  const sent = await api.call('POST', '/api/v1/messages', {
    key: fullKey,
    json: { to: '0911234567', text: 'x' },
  });
  messageId = sent.body.id as string;
  const scheduled = await api.call('POST', '/api/v1/messages/schedule', {
    key: fullKey,
    json: { to: '0911234567', text: 'x', scheduleType: 'once', startsAt: '2999-01-01T00:00:00Z' },
  });
  scheduleId = scheduled.body.id as string;
  const code = await api.call('POST', '/api/v1/security-codes/send', {
    key: fullKey,
    json: { to: '0911234567' },
  });
  verificationId = code.body.verificationId as string;
  [{ id: deliveryId }] = (await db.query(
    `insert into webhook_deliveries (id, organization_id, environment, message_id, event, position, url, body, status, created_at)
      select gen_random_uuid(), organization_id, environment, id, 'message.accepted', 1, 'https://example.com/', '{}', 'dead', now()
      from messages where id = ? returning id`,
    [messageId],
  )) as [{ id: string }];
  catalogIds = await makeCatalog();
  [{ id: inboundMessageId }] = (await db.query(
    `insert into inbound_messages (id, organization_id, sender, recipient, text, deduplication_key, status, created_at)
      values (gen_random_uuid(), ?, '+251911234567', '8080', 'x', '', 'failed', now()) returning id`,
    [tenant.organizationId],
  )) as [{ id: string }];
  [{ id: erasureId }] = (await db.query(
    `insert into erasures (id, organization_id, number_hash, status, requested_by, created_at, completed_at)
      values (gen_random_uuid(), ?, '', 'completed', gen_random_uuid(), now(), now()) returning id`,
    [tenant.organizationId],
  )) as [{ id: string }];
  [{ id: alarmId }] = (await db.query(
    `insert into security_code_alarms (id, organization_id, prefix, holds, codes, verified, raised_at, ends_at)
      values (gen_random_uuid(), ?, '+254711', false, 30, 0, now(), now() + interval '1 hour') returning id`,
    [tenant.organizationId],
  )) as [{ id: string }];
  [{ id: ruleId }] = (await db.query(
    `insert into content_rules (id, organization_id, kind, "values", terms, reason, created_at, updated_at)
      values (gen_random_uuid(), ?, 'contains', '{lottery}', '{" lottery "}', 'No lotteries.', now(), now()) returning id`,
    [tenant.organizationId],
  )) as [{ id: string }];
  // The rows are assigned to their dispatches after the answers; later it would look like a change by a caller.
  await until('the rows to be assigned', async () => {
    const [open] = await db.query<{ rows: number }>(`
      select (select count(*) from messages where dispatch_id is null)::int
        + (select count(*) from security_codes where dispatch_id is null)::int as rows`);
    return open!.rows === 0;
  });
  const { organizationId } = tenant;
  const make = async (path: string, json: object): Promise<string> =>
    (await api.call('POST', path, { key: fullKey, json: { organizationId, ...json } })).body.id as string;
  contactId = await make('/api/v1/contacts', { phoneNumber: '0911234567' });
  importId = await make('/api/v1/contacts/import', { file: 'phone\n0922345678\n' });
  listId = await make('/api/v1/contact-lists', { name: 'x' });
  const { campaignId } = catalogIds;
  const bulk = { campaignId, contactListId: listId, text: 'x', scheduledAt: '2999-01-01T00:00:00Z' };
  bulkSmsId = await make('/api/v1/bulk-sms', bulk);
  const [row] = await db.query<{ id: string }>('select id from api_keys where organization_id = ? limit 1', [
    tenant.organizationId,
  ]);
  keyId = row!.id;
}, 60_000);

afterAll(async () => {
  await api.stop();
  await db.drop();
});

/** One of each of the tenant's things that have an id in a path. */
async function makeCatalog(): Promise<Record<string, string>> {
  const { organizationId } = tenant;
  const make = async (path: string, json: object): Promise<string> =>
    (await api.call('POST', path, { key: fullKey, json: { organizationId, ...json } })).body.id as string;
  return {
    templateId: await make('/api/v1/templates', { name: 'Of the tenant', content: 'Hello' }),
    campaignId: await make('/api/v1/campaigns', { name: 'Of the tenant' }),
    senderId: await make('/api/v1/sender-ids', {
      value: 'Tenant',
      useCase: 'Tests of the service.',
      sampleMessage: 'Hello',
    }),
    suppressionId: await make('/api/v1/suppressions', { phoneNumber: '0911000000' }),
    keywordId: await make('/api/v1/inbound/keywords', { keyword: 'Of the tenant', response: 'Hello' }),
  };
}

/** A request that is valid in all but who makes it: required fields filled in, ids those of the tenant. */
function requestFor(operation: Operation, organizationId: string): { path: string; options: CallOptions } {
  const ids: Record<string, string> = {
    organizationId: tenant.organizationId,
    ...{ messageId, keyId, scheduleId, deliveryId, contactId, importId, listId, bulkSmsId },
    ...catalogIds,
    erasureId,
    alarmId,
    ruleId,
    ...(operation.path.includes('/inbound/') && { messageId: inboundMessageId }),
  };
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`Say in this test which ${name} the tenant has.`);
    return id;
  });
  if (!operation.bodySchema) {
    const query = new URLSearchParams({ organizationId });
    if (operation.queryParameters.get('phoneNumber')?.required) query.set('phoneNumber', '0911234567');
    return { path: `${path}?${query.toString()}`, options: {} };
  }
  const samples: Record<string, unknown> = {
    organizationId,
    to: '0911234567',
    text: 'x',
    name: 'x',
    environment: 'test',
    permissions: ['messages:read'],
    scheduleType: 'once',
    startsAt: '2999-01-01T00:00:00Z',
    action: 'pause',
    verificationId,
    code: '123456',
    content: 'Hello {{firstName}}',
    value: 'Parcels',
    useCase: 'Tells where parcels are.',
    sampleMessage: 'Your parcel is here.',
    phoneNumber: '0911234567',
    contactIds: [],
    file: 'phone\n0933456789\n',
    campaignId: catalogIds['campaignId'],
    contactListId: listId,
    ratePerSecond: 10,
    keyword: 'BALANCE',
    response: 'Hello',
    held: false,
    kind: 'contains',
    values: ['lottery'],
    reason: 'No lotteries.',
    mode: 'alarm',
    minCodes: 30,
    minVerifiedPercent: 20,
    holdHours: 12,
  };
  const schema = contract.resolve(operation.bodySchema) as { required?: string[] };
  const json: Record<string, unknown> = { organizationId };
  for (const name of schema.required ?? []) {
    if (samples[name] === undefined) throw new Error(`Say in this test what a valid ${name} is.`);
    json[name] = samples[name];
  }
  return { path, options: { json } };
}

/** A 500 is an operation without a router, or an answer that differs from openapi.yaml. */
async function callAs(operation: Operation, organizationId: string, caller: CallOptions): Promise<Answer> {
  const { path, options } = requestFor(operation, organizationId);
  const answer = await api.call(operation.method, path, { ...options, ...caller });
  if (answer.status === 500) {
    throw new Error(`${operation.method} ${path} is a 500. Pass \`log\` to startTestApi to see why.`);
  }
  return answer;
}

/** All rows that belong to an organization, but for the times at which keys were used. */
async function everything(): Promise<string> {
  const tables = [
    'organizations',
    'members',
    'invitations',
    'messages',
    'message_events',
    'webhook_deliveries',
    'webhook_attempts',
    'audit_events',
    'sender_ids',
    'message_schedules',
    'idempotency_keys',
    'security_codes',
    'templates',
    'campaigns',
    'suppressions',
    'erased_opt_outs',
    'consent_events',
    'retention_rules',
    'erasures',
    'security_code_alarms',
    'content_rules',
    'contacts',
    'contact_imports',
    'phonebooks',
    'phonebook_members',
    'bulk_batches',
    'bulk_recipients',
    'notifications',
    'inbound_keywords',
    'inbound_messages',
  ];
  const parts = await Promise.all([
    ...tables.map((table) => db.query(`select * from ${table} order by 1`)),
    db.query('select id, name, permissions, metadata, expires_at, revoked_at from api_keys order by id'),
  ]);
  return JSON.stringify(parts);
}

const notFoundBody = async (): Promise<string> => {
  const { body } = await api.call('GET', '/api/v1/messages/019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11', {
    key: fullKey,
  });
  return JSON.stringify({ ...body, requestId: '' });
};

describe.each(ofOrganizations)('%s', (_name, operation) => {
  const forKeys = isPermission(operation.permission);

  test('refuses whoever may not, changes nothing for them, and tells a stranger what it tells of nothing', async () => {
    const { organizationId } = tenant;
    const before = await everything();
    const revoked = await tenant.createKey({ revokedAt: new Date() });
    const expired = await tenant.createKey({ expiresAt: new Date(Date.now() - 1000) });
    const keysBefore = await everything();
    expect(keysBefore).not.toBe(before);
    const codes = {
      'no key': (await callAs(operation, organizationId, {})).body.code,
      'a revoked key': (await callAs(operation, organizationId, { key: revoked })).body.code,
      'an expired key': (await callAs(operation, organizationId, { key: expired })).body.code,
      'a bearer token of nobody': (
        await callAs(operation, organizationId, { headers: { Authorization: 'Bearer x' } })
      ).body.code,
    };
    expect(codes).toEqual({
      'no key': 'unauthenticated',
      'a revoked key': 'api_key_revoked',
      'an expired key': 'api_key_expired',
      'a bearer token of nobody': 'unauthenticated',
    });
    const strangers: CallOptions[] = [
      { session: strangersOwner.token },
      ...(forKeys ? [{ key: strangersKey }] : []),
    ];
    for (const caller of strangers) {
      const { status, body } = await callAs(operation, organizationId, caller);
      expect({ status, errors: body.errors }).toEqual({ status: 404, errors: undefined });
      expect(JSON.stringify({ ...body, requestId: '' })).toBe(await notFoundBody());
      // Acting for itself, but on what is the tenant's: no less unknown.
      if (!operation.path.includes('{')) continue;
      const own = await callAs(operation, stranger.organizationId, caller);
      expect(JSON.stringify({ ...own.body, requestId: '' })).toBe(await notFoundBody());
    }
    if (forKeys) {
      const answer = await callAs(operation, organizationId, { key: keysWithout.get(operation.permission)! });
      expect(answer.body).toMatchObject({ status: 403, code: 'permission_denied' });
      expect(answer.body.detail).toContain(operation.permission);
    } else {
      const answer = await callAs(operation, organizationId, { key: fullKey });
      expect(answer.body).toMatchObject({ status: 403, code: 'permission_denied' });
    }
    if (operation.permission === 'organization:manage') {
      const answer = await callAs(operation, organizationId, { session: member.token });
      expect(answer.body).toMatchObject({ status: 403, code: 'permission_denied' });
    }
    expect(await everything()).toBe(keysBefore);
  });

  test('is allowed to a key by the permission that openapi.yaml names and by no other', async () => {
    for (const permission of permissions) {
      const key = await tenant.createKey({ permissions: [permission] });
      const { status } = await callAs(operation, tenant.organizationId, { key });
      expect({ permission, allowed: status !== 403 }).toEqual({
        permission,
        allowed: permission === operation.permission,
      });
    }
  });
});

test.each(operations.filter(([, { permission }]) => permission === 'admin'))(
  '%s is for administrators: neither owners nor keys may',
  async (_name, { method, path, bodySchema }) => {
    const options: CallOptions = bodySchema ? { json: {} } : {};
    const target = path.replace(/\{\w+\}/g, 'x');
    expect((await api.call(method, target, options)).body.code).toBe('unauthenticated');
    expect((await strangersOwner.call(method, target, options)).body.code).toBe('permission_denied');
  },
);

test.each(operations.filter(([, { permission }]) => ['session', 'admin'].includes(permission)))(
  '%s tells a good key that it needs a session, and a bad one that it is bad',
  async (_name, { method, path, bodySchema }) => {
    const options: CallOptions = bodySchema ? { json: {} } : {};
    const target = path.replace(/\{\w+\}/g, 'x');
    const carriers: ((key: string) => CallOptions)[] = [
      (key) => ({ key }),
      (key) => ({ headers: { Authorization: `Bearer ${key}` } }),
      (key) => ({ headers: { Cookie: `apiKeyCookie=${key}` } }),
    ];
    const expired = await tenant.createKey({ expiresAt: new Date(Date.now() - 1000) });
    for (const carrier of carriers) {
      const call = async (key: string) =>
        (await api.call(method, target, { ...options, ...carrier(key) })).body;
      expect(await call(fullKey)).toMatchObject({
        status: 403,
        code: 'permission_denied',
        detail: 'This operation requires a session. API keys cannot use it.',
      });
      expect(await call(`${fullKey}x`)).toMatchObject({ status: 401, code: 'unauthenticated' });
      expect(await call(expired)).toMatchObject({ status: 401, code: 'api_key_expired' });
    }
  },
);

test('every operation says who may call it', () => {
  for (const [name, { permission }] of operations)
    expect({ name, permission }).not.toEqual({ name, permission: '' });
  const open = operations.filter(([, { permission }]) => permission === 'public').map(([name]) => name);
  expect(open.filter((name) => !name.includes('/api/auth/'))).toEqual([
    'GET /health',
    'GET /health/live',
    'GET /health/ready',
  ]);
});
