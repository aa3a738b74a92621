import { sql } from 'kysely';
import { sqlOf, type Database } from '../database.ts';
import type { Log } from '../log.ts';
import { recordset } from '../recordset.ts';
import { repeatUntilStopped } from '../repeat-until-stopped.ts';
import type { Sealer } from './sealer.ts';

const pauseMs = 10 * 60_000;

/** The maximum number of secrets that one transaction seals, so that none holds its locks for long. */
const sealedAtOnce = 500;

/**
 * Seals webhook secrets that older versions stored in clear text, now and every ten minutes: an API process of the
 * previous version may still run next to this one. Any number of workers may run this; each takes different rows.
 */
export function startSecretSealing(dependencies: { database: Database; secretSealer: Sealer; log: Log }): {
  stop: () => Promise<void>;
} {
  const { database, secretSealer, log } = dependencies;
  return repeatUntilStopped({
    pauseMs,
    round: async (stopping) => {
      while (!stopping.aborted && (await sealSecrets(database, secretSealer)) === sealedAtOnce);
    },
    onFailure: (error) =>
      log.warn({ err: error }, 'webhook secrets are still stored in clear text; sealing will be retried'),
  });
}

/** Seals secrets that are stored in clear text, at most 500, and returns how many it sealed. */
export async function sealSecrets(
  database: Database,
  secretSealer: Sealer,
  limit = sealedAtOnce,
): Promise<number> {
  return sqlOf(database)
    .transaction()
    .execute(async (transaction) => {
      const { rows } = await sql<{ id: string; organizationId: string; secret: string }>`
        select id, organization_id as "organizationId", webhook_secret as secret from messages
        where webhook_secret is not null order by id limit ${limit} for no key update skip locked
      `.execute(transaction);
      if (rows.length === 0) return 0;
      const sealed = rows.map(({ id, organizationId, secret }) => ({
        ...{ id, secret: secretSealer.seal(organizationId, secret) },
      }));
      await sql`
        update messages set sealed_webhook_secret = decode(sealed.secret, 'base64'), webhook_secret = null
        from ${recordset(sealed, 'sealed', { id: 'uuid', secret: 'text' })}
        where messages.id = sealed.id
      `.execute(transaction);
      return rows.length;
    });
}
