import { pino } from 'pino';
import { ApiKey } from '../../src/api-keys/api-key.entity.ts';
import { parseApiKey } from '../../src/api-keys/api-key.ts';
import { revokeApiKey, updateApiKey } from '../../src/api-keys/change-api-key.ts';
import { createApiKeyLookup, type StoredApiKey } from '../../src/api-keys/find-api-key.ts';
import type { Principal } from '../../src/principal.ts';
import { createNoticeListener, type NoticeListener } from '../../src/notice-listener.ts';
import { acrossOrganizations } from '../../src/organizations/organization-scope.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { startTcpProxy, type TcpProxy } from '../helpers/tcp-proxy.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

const log = pino({ level: 'silent' });

let db: TestDatabase;
let tenant: Tenant;
let proxy: TcpProxy;
const listeners: NoticeListener[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  tenant = await createTenant(db.database);
  proxy = await startTcpProxy(db.url);
});

afterEach(async () => {
  await Promise.all(listeners.splice(0).map((one) => one.stop()));
});

afterAll(async () => {
  await proxy.stop();
  await db.drop();
});

/** The look-up of a process that listens, whose clock stands still, so that it never forgets a key for its age. */
async function startProcess() {
  const clock = { ms: 0 };
  const notices = createNoticeListener({ url: proxy.url, log });
  listeners.push(notices);
  const lookup = createApiKeyLookup(db.database, notices, () => clock.ms);
  await new Promise<void>((listening) =>
    notices.subscribe({ channel: 'tests', onListening: listening, onNotice: () => undefined }),
  );
  return { clock, lookup };
}

interface Change {
  publicId: string;
  apply: (lookup: { forget: (publicId: string) => void }) => Promise<unknown>;
  isIn: (key: StoredApiKey | null) => boolean;
}

async function newKey(change: 'revoked' | 'permission' | 'expiry'): Promise<Change> {
  const { publicId } = parseApiKey(await tenant.createKey())!;
  const { id } = await db.database.em
    .fork()
    .findOneOrFail(ApiKey, { publicId }, { filters: acrossOrganizations });
  const { organizationId } = tenant;
  const actor = { kind: 'user' as const, id: organizationId };
  const principal: Principal = {
    ...{ actor, personId: null, impersonatedBy: null, organizationId },
    ...{ environment: 'live', visibleEnvironments: ['live', 'test'] },
  };
  const update = (input: object) => (apiKeys: Parameters<Change['apply']>[0]) =>
    updateApiKey({ database: db.database, apiKeys }, principal, id, input);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const changes: Record<typeof change, Omit<Change, 'publicId'>> = {
    revoked: {
      apply: (apiKeys) => revokeApiKey({ database: db.database, apiKeys }, principal, id),
      isIn: (key) => key?.revokedAt instanceof Date,
    },
    permission: {
      apply: update({ permissions: ['messages:read'] }),
      isIn: (key) => key?.permissions.has('messages:send') === false,
    },
    expiry: {
      apply: update({ expiresAt: expiresAt.toISOString() }),
      isIn: (key) => key?.expiresAt?.getTime() === expiresAt.getTime(),
    },
  };
  return { publicId, ...changes[change] };
}

describe.each(['revoked', 'permission', 'expiry'] as const)('a change of a key: %s', (change) => {
  test('holds on the process that makes it from the next look-up on', async () => {
    const { lookup } = await startProcess();
    const { publicId, apply, isIn } = await newKey(change);
    expect(isIn(await lookup.find(publicId))).toBe(false);
    await apply(lookup);
    expect(isIn(await lookup.find(publicId))).toBe(true);
  });

  test('holds on another process as soon as it hears of it', async () => {
    const [one, other] = [await startProcess(), await startProcess()];
    const { publicId, apply, isIn } = await newKey(change);
    expect(isIn(await other.lookup.find(publicId))).toBe(false);
    await apply(one.lookup);
    await until('the change to be heard of', async () => isIn(await other.lookup.find(publicId)));
  });

  test('holds within half a second on one that does not hear of it, and once it listens again', async () => {
    const deaf = await startProcess();
    const [first, second] = [await newKey(change), await newKey(change)];
    for (const { publicId } of [first, second]) await deaf.lookup.find(publicId);
    await proxy.cut();
    try {
      for (const { apply } of [first, second]) await apply({ forget: () => undefined });
      expect(first.isIn(await deaf.lookup.find(first.publicId))).toBe(false);
      deaf.clock.ms += 500;
      expect(first.isIn(await deaf.lookup.find(first.publicId))).toBe(true);
      deaf.clock.ms -= 500;
      expect(second.isIn(await deaf.lookup.find(second.publicId))).toBe(false);
    } finally {
      await proxy.restore();
    }
    await until('it to listen again', async () => second.isIn(await deaf.lookup.find(second.publicId)));
  });
});
