import { Router } from 'express';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { listAuditEvents } from './list-audit-events.ts';

export function auditRoutes({ database }: { database: Database }): Router {
  const router = Router();

  router.get('/api/v1/audit-events', async (request, response) => {
    response.json(await listAuditEvents(database, request.principal, readCursor(request.query)));
  });

  return router;
}
