import { Router } from 'express';
import type { Database } from '../../database.ts';
import { readCursor } from '../../http/cursor.ts';
import { listSecurityEvents, listSecurityEventsOfUser } from './list-security-events.ts';

/** What happened to accounts: for their user, and for administrators. */
export function securityEventRoutes({ database }: { database: Database }): Router {
  const router = Router();

  router.get('/api/v1/account/security-events', async (request, response) => {
    response.json(await listSecurityEvents(database, request.session!.userId, readCursor(request)));
  });

  router.get('/api/v1/admin/users/:userId/security-events', async (request, response) => {
    const { userId } = request.params;
    response.json(await listSecurityEventsOfUser(database, userId, readCursor(request)));
  });

  return router;
}
