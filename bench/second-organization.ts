import { v7 as uuidv7 } from 'uuid';
import { ApiKey } from '../src/api-keys/api-key.entity.ts';
import { generateApiKey } from '../src/api-keys/api-key.ts';
import { permissions } from '../src/auth/permissions.ts';
import { openDatabase } from '../src/open-database.ts';
import { Organization } from '../src/organizations/organization.entity.ts';

/**
 * Creates an organization besides that of the demo. It has no approved sender: the messages of its key have the
 * built-in one.
 *
 * @returns its test key
 */
export async function makeSecondOrganization(databaseUrl: string): Promise<{ apiKey: string }> {
  const database = await openDatabase({ url: databaseUrl, poolSize: 1 });
  try {
    const em = database.em.fork();
    const [id, createdAt] = [uuidv7(), new Date()];
    const { key, publicId, secretHash } = generateApiKey('test');
    em.create(Organization, { id, name: 'Second', slug: 'second', logo: null, metadata: null, createdAt });
    em.create(ApiKey, {
      ...{ id: uuidv7(), organization: id, maker: null, name: 'Bench', environment: 'test' as const },
      ...{
        publicId,
        secretHash,
        permissions: [...permissions],
        metadata: null,
        allowedAddresses: null,
        createdAt,
      },
      ...{ expiresAt: null, revokedAt: null, lastUsedAt: null },
    });
    await em.flush();
    return { apiKey: key };
  } finally {
    await database.close();
  }
}
