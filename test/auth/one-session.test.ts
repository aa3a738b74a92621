/**
 * One request has one caller. Whatever credentials come together, the guard and better-auth, which finds out by itself
 * who calls, act for the same session: the one that the first credential there is names, or nobody.
 */
import { createHmac, randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { createSessionCookies } from '../../src/auth/sessions/session-cookies.ts';
import { hashSessionToken } from '../../src/auth/sessions/session-token.ts';
import { loadContract, type Operation } from '../../src/http/contract/contract.ts';
import { authSecret, startTestApi, type CallOptions, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { createOrganization, password, signUp, type Person } from '../helpers/people.ts';
import { createTenant } from '../helpers/tenants.ts';

const contract = loadContract();

let db: TestDatabase;
let api: TestApi;
let own: Person;
let victim: Person;
let banned: Person;
let organizationId: string;
let memberId: string;
let key: string;
let revokedKey: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
  [own, victim, banned] = [await signUp(api), await signUp(api), await signUp(api)];
  const made = await createOrganization(victim);
  organizationId = made.organizationId;
  memberId = made.memberIds[victim.userId]!;
  await db.query('update users set banned = true where id = ?', [banned.userId]);
  const tenant = await createTenant(db.database);
  key = await tenant.createKey();
  revokedKey = await tenant.createKey({ revokedAt: new Date() });
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const sign = (token: string): string => createHmac('sha256', authSecret).update(token).digest('base64');
const signed = (token: string): string => `${token}.${sign(token)}`;
const cookieOf = (value: string): string => `better-auth.session_token=${encodeURIComponent(value)}`;

/** Stores a session as signing in would, but at once. */
async function open(
  person: Person,
  more: { expired?: boolean; impersonated?: boolean } = {},
): Promise<string> {
  const token = randomBytes(16).toString('hex');
  await db.query(
    `insert into sessions (id, user_id, token, impersonated_by, expires_at, created_at, updated_at)
     values (?, ?, ?, ?, now() + ?::interval, now(), now())`,
    [
      ...[
        uuidv7(),
        person.userId,
        hashSessionToken(token),
        more.impersonated ? await administratorId() : null,
      ],
      more.expired ? '-1 minute' : '1 day',
    ],
  );
  return token;
}

async function administratorId(): Promise<string> {
  const [row] = await db.query<{ id: string }>(`
    insert into users (id, name, email, email_verified, role, banned, created_at, updated_at)
    values (gen_random_uuid(), 'A', gen_random_uuid() || '@example.com', true, 'admin', false, now(), now())
    returning id`);
  return row!.id;
}

/** What may stand in each place, and what it comes to where it decides. */
const sessions: Record<string, { make: () => Promise<string>; is: 'own' | 'victim' | '401' | '403 banned' }> =
  {
    own: { make: () => open(own), is: 'own' },
    'another’s': { make: () => open(victim), is: 'victim' },
    'an impersonation of another': { make: () => open(victim, { impersonated: true }), is: 'victim' },
    'someone’s who is banned': { make: () => open(banned), is: '403 banned' },
    'an expired one': { make: () => open(victim, { expired: true }), is: '401' },
    'a revoked one': { make: () => Promise.resolve(randomBytes(16).toString('hex')), is: '401' },
  };
type Place = { send: () => Promise<CallOptions>; is: string };

const bearers: Record<string, Place> = {
  ...Object.fromEntries(
    Object.entries(sessions).flatMap(([name, { make, is }]): [string, Place][] => [
      [name, { send: async () => ({ headers: { Authorization: `Bearer ${await make()}` } }), is }],
      [
        `${name}, signed`,
        { send: async () => ({ headers: { Authorization: `bearer ${signed(await make())}` } }), is },
      ],
      [
        `${name}, with a signature that is read leniently`,
        {
          send: async () => {
            const token = await make();
            return { headers: { Authorization: `Bearer ${token}.!${sign(token)}` } };
          },
          is: '401',
        },
      ],
    ]),
  ),
  garbage: { send: () => Promise.resolve({ headers: { Authorization: 'Bearer a b.c' } }), is: '401' },
  'a key': { send: () => Promise.resolve({ headers: { Authorization: `Bearer ${key}` } }), is: '403 key' },
  'a revoked key': {
    send: () => Promise.resolve({ headers: { Authorization: `Bearer ${revokedKey}` } }),
    is: '401 key',
  },
};
const headers: Record<string, Place> = {
  'a key': { send: () => Promise.resolve({ headers: { 'X-API-Key': key } }), is: '403 key' },
  'a revoked key': { send: () => Promise.resolve({ headers: { 'X-API-Key': revokedKey } }), is: '401 key' },
  'a session’s token': {
    send: async () => ({ headers: { 'X-API-Key': await open(victim) } }),
    is: '401 key',
  },
};
const cookies: Record<string, Place> = Object.fromEntries(
  Object.entries(sessions).map(([name, { make, is }]): [string, Place] => [
    name,
    { send: async () => ({ headers: { Cookie: cookieOf(signed(await make())) } }), is },
  ]),
);

/** The first decides: key in the header, bearer token, cookie. */
const pairs: [name: string, deciding: Place, other: Place][] = [
  ...pairsOf('header', headers, { bearer: bearers, cookie: cookies }),
  ...pairsOf('bearer', bearers, { cookie: cookies }),
];

function pairsOf(
  place: string,
  deciding: Record<string, Place>,
  others: Record<string, Record<string, Place>>,
): [string, Place, Place][] {
  return Object.entries(deciding).flatMap(([name, first]) =>
    Object.entries(others).flatMap(([otherPlace, choices]) =>
      Object.entries(choices).map(([otherName, other]): [string, Place, Place] => [
        `${name} as ${place} beside ${otherName} as ${otherPlace}`,
        first,
        other,
      ]),
    ),
  );
}

const together = (...given: CallOptions[]): CallOptions => ({
  headers: Object.assign({}, ...given.map((options) => options.headers)) as Record<string, string>,
});

test.each(pairs)(
  '%s: the first is the caller, to the guard and to better-auth',
  async (_name, deciding, other) => {
    const send = together(await other.send(), await deciding.send());
    const expected = { own: own.userId, victim: victim.userId }[deciding.is];
    // The guard refuses; better-auth tells whose accounts they are.
    const listed = await api.call('GET', '/api/auth/list-accounts', send);
    if (expected)
      expect((listed.body as { userId: string }[]).map(({ userId }) => userId)).toEqual([expected]);
    else expect(listed.status).toBe(Number(deciding.is.slice(0, 3)));
    const shown = await api.call('GET', '/api/auth/get-session', send);
    expect(shown.body?.user?.id).toBe(expected);
  },
);

test.each([
  ['a key as header', async () => ({ 'X-API-Key': key, Authorization: `Bearer ${await open(own)}` })],
  ['a key as bearer', () => ({ Authorization: `Bearer ${key}` })],
  ['another session as bearer', async () => ({ Authorization: `Bearer ${await open(own)}` })],
  ['garbage as bearer', () => ({ Authorization: 'Bearer x.y' })],
])('to sign out with %s leaves the session and the cookie of the browser', async (what, deciding) => {
  const token = await open(victim);
  const send = {
    headers: { Cookie: cookieOf(signed(token)), ...(await deciding()) } as Record<string, string>,
  };
  const owns = () => db.query('select 1 from sessions where user_id = ?', [own.userId]);
  const before = (await owns()).length;
  const answer = await api.call('POST', '/api/auth/sign-out', send);
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([200, []]);
  expect((await api.call('GET', '/api/auth/list-accounts', { session: token })).status).toBe(200);
  // Of a session that decides itself it is the end.
  expect(await owns()).toHaveLength(before - (what === 'another session as bearer' ? 1 : 0));
});

describe('beside the session of another, a bearer token does to nobody but its own user', () => {
  const forPeople = contract.operations.filter(
    ({ path, permission }) =>
      path.startsWith('/api/auth/') && ['session', 'admin', 'optional-session'].includes(permission),
  );
  /** Own in the bearer where it is right; where it is not, nobody. */
  const asBearer: [string, (token: string) => string][] = [
    ['plain', (token) => token],
    ['signed', signed],
    ['with a signature that is read leniently', (token) => `${token}.!${sign(token)}`],
  ];
  const besides = ['another’s', 'an impersonation of another', 'someone’s who is banned'];

  const stateOfOthers = async (): Promise<string> => {
    const ofOthers = [victim.userId, banned.userId];
    const tables: [string, string][] = [
      ...['sessions', 'accounts', 'members'].map((table): [string, string] => [table, 'user_id']),
      ['users', 'id'],
      ['invitations', 'inviter_id'],
      ['audit_events', 'actor_id'],
    ];
    const rows = await Promise.all(
      tables.map(([table, column]) =>
        db.query(`select * from ${table} where ${column}::text in (?, ?) order by id`, ofOthers),
      ),
    );
    return JSON.stringify(rows);
  };

  test.each(forPeople.map((operation): [string, Operation] => [operation.path, operation]))(
    'what %s does',
    async (_path, operation) => {
      for (const [how, write] of asBearer) {
        const alone = await callAs(operation, { Authorization: `Bearer ${write(await open(own))}` });
        for (const name of besides) {
          const Cookie = cookieOf(signed(await sessions[name]!.make()));
          const bearer = await open(own);
          const before = await stateOfOthers();
          const answer = await callAs(operation, { Authorization: `Bearer ${write(bearer)}`, Cookie });
          expect({ how, name, status: answer.status, code: answer.body?.code }).toEqual({
            ...{ how, name, status: alone.status, code: alone.body?.code },
          });
          expect(JSON.stringify(answer.body)).not.toContain(victim.email);
          expect(await stateOfOthers()).toBe(before);
        }
      }
    },
    60_000,
  );

  /** A request that does something where it may; what it names is the victim's. */
  function callAs({ method, path, bodySchema }: Operation, credentials: Record<string, string>) {
    const samples: Record<string, unknown> = {
      ...{ name: 'Changed', slug: `changed-${randomBytes(4).toString('hex')}`, email: 'someone@example.com' },
      ...{ newPassword: 'another password', currentPassword: `not ${password}` },
      ...{ token: randomBytes(16).toString('hex'), sessionToken: victim.token, provider: 'google' },
      ...{ userId: victim.userId, organizationId, memberId, memberIdOrEmail: memberId },
      ...{ invitationId: uuidv7(), accountId: 'x', role: 'member', data: { name: 'Changed' } },
    };
    const schema = bodySchema && (contract.resolve(bodySchema) as { required?: string[] });
    const json = schema && {
      ...Object.fromEntries((schema.required ?? []).map((name) => [name, samples[name]])),
      ...(path.endsWith('/update-user') && { name: 'Changed' }),
    };
    return api.call(method, path, { headers: credentials, ...(json && { json }) });
  }
});

describe('a signed token', () => {
  const token = 'kW3vQ8sZ1nB6yH4tR0pL7mD2cX5gF9aJ';
  const { read } = createSessionCookies({ baseUrl: 'http://127.0.0.1', secret: authSecret });
  const right = signed(token);
  const signature = sign(token);
  const lastBut = (change: number): string => {
    // The last character before `=` holds two bits that no byte has.
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const at = letters.indexOf(signature.at(-2)!);
    return `${signature.slice(0, -2)}${letters[at ^ change]}=`;
  };

  test.each<[what: string, text: string, isGood: boolean]>([
    ['as it is written', right, true],
    ['percent-encoded', encodeURIComponent(right), true],
    [
      'percent-encoded in small letters',
      encodeURIComponent(right).replace(/%../g, (code) => code.toLowerCase()),
      true,
    ],
    ['with characters that are no base64 before the signature', `${token}.!${signature}`, false],
    ['with some within the signature', `${token}.${signature.slice(0, 9)}-_!${signature.slice(9)}`, false],
    ['with some after it', `${right}!`, false],
    ['without padding', right.slice(0, -1), false],
    ['with more padding', `${right}=`, false],
    [
      'with the signature in base64url',
      `${token}.${Buffer.from(signature, 'base64').toString('base64url')}`,
      false,
    ],
    [
      'with the signature in hexadecimal',
      `${token}.${Buffer.from(signature, 'base64').toString('hex')}`,
      false,
    ],
    ['with unused bits set', `${token}.${lastBut(1)}`, false],
    ['with other unused bits set', `${token}.${lastBut(2)}`, false],
    ['with a second dot', `${token}..${signature}`, false],
    ['with another signature after it', `${right}.${signature}`, false],
    ['with a signature before it', `${signature}.${right}`, false],
    ['encoded twice', encodeURIComponent(encodeURIComponent(right)), false],
    ['without its signature', `${token}.`, false],
    ['without itself', `.${signature}`, false],
    ['in quotes', `"${right}"`, false],
    ['of another secret', `${token}.${createHmac('sha256', 'x').update(token).digest('base64')}`, false],
    ['with a null byte', `${token}%00.${signature}`, false],
    ['that is half a character', `%E0%A4.${signature}`, false],
  ])('%s', async (_what, text, isGood) => {
    const found = isGood ? token : undefined;
    expect(read({ authorization: `Bearer ${text}` })?.token).toBe(found);
    expect(read({ cookie: `better-auth.session_token=${text}` })?.token).toBe(found);
    // Nor does what is wrong let another credential count.
    const beside = { cookie: cookieOf(signed('another')) };
    expect(read({ authorization: `Bearer ${text}`, ...beside })?.token).toBe(found);
    const answer = await api.call('GET', '/api/auth/list-accounts', {
      headers: { Authorization: `Bearer ${text}`, Cookie: cookieOf(signed(victim.token)) },
    });
    expect(answer.status).toBe(401);
  });

  test('that was changed anywhere is none, and never another’s', () => {
    const character = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));
    const edit = fc.record({
      at: fc.nat(right.length),
      remove: fc.nat(2),
      insert: fc.array(character, { maxLength: 2 }),
    });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        const text = edits.reduce(
          (before, { at, remove, insert }) =>
            before.slice(0, at) + insert.join('') + before.slice(at + remove),
          right,
        );
        const mean = decodeURIComponentOr(text.trim());
        const found = read({ authorization: `Bearer ${text}` });
        if (text.includes('.')) expect(found?.token).toBe(mean === right ? token : undefined);
        else expect(found?.token ?? '').toBe(text.trim());
      }),
      { numRuns: 3000 },
    );
  });

  function decodeURIComponentOr(text: string): string {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }
});
