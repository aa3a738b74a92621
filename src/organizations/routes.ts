import { Router } from 'express';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { listInvitations } from './list-invitations.ts';

export function organizationRoutes({ database, now }: { database: Database; now: () => Date }): Router {
  const router = Router();

  router.get('/api/v1/organizations/invitations', async (request, response) => {
    response.json(await listInvitations(database, request.session!, readCursor(request), now()));
  });

  return router;
}
