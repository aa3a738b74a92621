import { Router } from 'express';
import { validate as isUuid } from 'uuid';
import { tablesOf, type Database } from '../../database.ts';
import { notFound } from '../../errors.ts';
import { inputOf } from '../../http/contract/input-of.ts';
import { inAccountTransaction } from '../account-transaction.ts';
import type { Mailer } from '../mails/mailer.ts';
import { clientOf, recordSecurityEvent } from '../security-events/record-security-event.ts';
import { toPasskeyRecord } from './passkey-record.ts';
import { Passkey } from './passkey.entity.ts';

/** The list of the own passkeys, and their removal. better-auth's list has the keys, and its removal tells nobody. */
export function passkeyRoutes(dependencies: {
  database: Database;
  mailer: Mailer | null;
  now: () => Date;
}): Router {
  const { database, now } = dependencies;
  const router = Router();

  router.get('/api/auth/passkey/list-user-passkeys', async (request, response) => {
    const { userId } = request.session!;
    const passkeys = await database.em.fork().find(Passkey, { user: userId }, { orderBy: { id: 'asc' } });
    response.json(passkeys.map(toPasskeyRecord));
  });

  router.post('/api/auth/passkey/delete-passkey', async (request, response) => {
    const { id } = inputOf(request, 'removePasskey').body;
    const { userId } = request.session!;
    if (!isUuid(id)) throw notFound();
    await inAccountTransaction(database, async () => {
      const removed = await tablesOf<typeof Passkey>(database.em)
        .deleteFrom('Passkey')
        .where('id', '=', id)
        .where('user', '=', userId)
        .returning('id')
        .executeTakeFirst();
      if (!removed) throw notFound();
      const event = { userId, kind: 'passkey_removed', client: clientOf(request) } as const;
      await recordSecurityEvent(dependencies, event, now());
    });
    response.json({ status: true });
  });

  return router;
}
