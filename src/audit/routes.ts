import { Router } from 'express';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import { listAllAuditEvents } from './list-all-audit-events.ts';
import { listAuditEvents } from './list-audit-events.ts';

export function auditRoutes({ database }: { database: Database }): Router {
  const router = Router();

  router.get('/api/v1/audit-events', async (request, response) => {
    response.json(await listAuditEvents(database, request.principal, readCursor(request)));
  });

  router.get('/api/v1/admin/audit-events', async (request, response) => {
    const { query } = inputOf(request, 'listAllAuditEvents');
    response.json(await listAllAuditEvents(database, query, readCursor(request)));
  });

  return router;
}
