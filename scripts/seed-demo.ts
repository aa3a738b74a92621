/**
 * Creates the demo organization of an embedded database and writes DATA_DIR/demo.json, from which README, tests and
 * benches take their keys. It can run again: existing rows stay, and only values that may have changed (addresses, the
 * token) are rewritten. The next run completes a run that was interrupted.
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { ApiKey } from '../src/api-keys/api-key.entity.ts';
import { generateApiKey } from '../src/api-keys/api-key.ts';
import { createUser, generatePassword } from '../src/auth/create-user.ts';
import { Account, passwordProvider } from '../src/auth/account.entity.ts';
import { User, type userRoles } from '../src/auth/user.entity.ts';
import { permissions } from '../src/auth/permissions.ts';
import { loadApiConfig } from '../src/config.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { hashPassword } from 'better-auth/crypto';
import type { Database } from '../src/database.ts';
import { openDatabase } from '../src/open-database.ts';
import { Member } from '../src/organizations/member.entity.ts';
import { acrossOrganizations } from '../src/organizations/organization-scope.ts';
import { Organization } from '../src/organizations/organization.entity.ts';
import { runToEnd } from '../src/process.ts';
import { SenderId } from '../src/sender-ids/sender-id.entity.ts';

const demoSlug = 'demo';
const demoSender = 'DEMO';
const adminEmail = 'admin@example.com';
const ownerEmail = 'owner@example.com';

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
    (await em.findOne(Organization, { slug: demoSlug }, { filters: acrossOrganizations })) ??
    em.create(Organization, {
      id: uuidv7(),
      name: 'Demo',
      slug: demoSlug,
      logo: null,
      metadata: null,
      createdAt,
    });
  if (
    !(await em.findOne(
      SenderId,
      { organization: organization.id, value: demoSender },
      { filters: acrossOrganizations },
    ))
  ) {
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
  const [adminPassword, ownerPassword] = [generatePassword(), generatePassword()];
  await makePerson(em, {
    email: adminEmail,
    name: 'Demo administrator',
    password: adminPassword,
    role: 'admin',
  });
  const owner = await makePerson(em, {
    email: ownerEmail,
    name: 'Demo owner',
    password: ownerPassword,
    role: 'user',
  });
  if (
    !(await em.findOne(
      Member,
      { organization: organization.id, user: owner.id },
      { filters: acrossOrganizations },
    ))
  ) {
    em.create(Member, { id: uuidv7(), organization, user: owner, role: 'owner', createdAt });
  }
  const keys = { test: generateApiKey('test'), live: generateApiKey('live') };
  for (const environment of ['test', 'live'] as const) {
    const { publicId, secretHash } = keys[environment];
    em.create(ApiKey, {
      id: uuidv7(),
      organization,
      maker: owner,
      name: `Demo, ${environment}`,
      environment,
      publicId,
      secretHash,
      allowedAddresses: null,
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
    adminEmail,
    adminPassword,
    ownerEmail,
    ownerPassword,
    testApiKey: keys.test.key,
    liveApiKey: keys.live.key,
    sender: demoSender,
  };
}

/** A user with a known password: a new user, or one from a run that ended before it wrote demo.json. */
async function makePerson(
  em: EntityManager,
  person: { email: string; name: string; password: string; role: (typeof userRoles)[number] },
): Promise<User> {
  const existing = await em.findOne(User, { email: person.email });
  if (!existing) return createUser(em, person);
  const account = await em.findOneOrFail(Account, { user: existing.id, providerId: passwordProvider });
  account.password = await hashPassword(person.password);
  account.updatedAt = new Date();
  return existing;
}
