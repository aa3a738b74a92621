/**
 * Makes the demo organization of an embedded database and writes DATA_DIR/demo.json, which README, tests and
 * benches take their keys from. Run at every embedded start: what exists stays, and only what may have moved
 * (addresses, the token) is written anew. A run that died half-way is completed by the next.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { ApiKey } from '../src/api-keys/api-key.entity.ts';
import { generateApiKey } from '../src/api-keys/api-key.ts';
import { permissions } from '../src/auth/permissions.ts';
import { loadApiConfig } from '../src/config.ts';
import { openDatabase, type Database } from '../src/database.ts';
import { Organization } from '../src/organizations/organization.entity.ts';
import { runToEnd } from '../src/process.ts';
import { SenderId } from '../src/sender-ids/sender-id.entity.ts';

const demoSlug = 'demo';
const demoSender = 'DEMO';

await runToEnd(async () => {
  const config = loadApiConfig();
  const file = join(process.env['DATA_DIR'] || '.data', 'demo.json');
  const database = await openDatabase({ url: config.DATABASE_URL, poolSize: 2 });
  try {
    const demo = (await readDemo(file)) ?? (await makeDemoOrganization(database));
    const addresses = {
      baseUrl: config.BASE_URL,
      gatewayToken: config.GATEWAY_TOKEN,
      temporalAddress: config.TEMPORAL_ADDRESS,
      databaseUrl: config.DATABASE_URL,
    };
    await writeFile(`${file}.new`, `${JSON.stringify({ ...demo, ...addresses }, null, 2)}\n`, {
      mode: 0o600,
    });
    await rename(`${file}.new`, file);
  } finally {
    await database.close();
  }
});

async function readDemo(file: string): Promise<Record<string, unknown> | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function makeDemoOrganization(database: Database): Promise<Record<string, unknown>> {
  const em = database.em.fork();
  const createdAt = new Date();
  const organization =
    (await em.findOne(Organization, { slug: demoSlug })) ??
    em.create(Organization, {
      id: uuidv7(),
      name: 'Demo',
      slug: demoSlug,
      logo: null,
      metadata: null,
      createdAt,
    });
  if (!(await em.findOne(SenderId, { organization: organization.id, value: demoSender }))) {
    em.create(SenderId, {
      id: uuidv7(),
      organization,
      value: demoSender,
      status: 'approved',
      isDefault: true,
      useCase: 'Trying the service out.',
      sampleMessage: 'Hello from the demo.',
      website: null,
      reviewReason: null,
      reviewedAt: createdAt,
      createdAt,
    });
  }
  const keys = { test: generateApiKey('test'), live: generateApiKey('live') };
  for (const environment of ['test', 'live'] as const) {
    const { publicId, secretHash } = keys[environment];
    em.create(ApiKey, {
      id: uuidv7(),
      organization,
      name: `Demo, ${environment}`,
      environment,
      publicId,
      secretHash,
      permissions: [...permissions],
      metadata: null,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      createdAt,
    });
  }
  await em.flush();
  return {
    organizationId: organization.id,
    testApiKey: keys.test.key,
    liveApiKey: keys.live.key,
    sender: demoSender,
  };
}
