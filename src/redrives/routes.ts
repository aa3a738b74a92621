import { Router } from 'express';
import { administratorOf } from '../auth/administrator.ts';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { cancelRedrive } from './cancel-redrive.ts';
import { getRedrive, listRedrives } from './list-redrives.ts';
import { createRequestRedrive, type RedriveInput } from './request-redrive.ts';
import type { Redrive } from './redrive.entity.ts';

export function redriveRoutes(dependencies: {
  database: Database;
  startRedrive: (redrive: Redrive) => void;
  now: () => Date;
}): Router {
  const { database, now } = dependencies;
  const requestRedrive = createRequestRedrive(dependencies);
  const router = Router();

  router.post('/api/v1/admin/messages/redrive', async (request, response) => {
    const input = request.body as RedriveInput;
    response.status(202).json(await requestRedrive(administratorOf(request), 'messages', input));
  });

  router.post('/api/v1/admin/webhook-deliveries/redrive', async (request, response) => {
    const input = request.body as RedriveInput;
    response.status(202).json(await requestRedrive(administratorOf(request), 'webhook_deliveries', input));
  });

  router.get('/api/v1/admin/redrives', async (request, response) => {
    response.json(await listRedrives(database, readCursor(request)));
  });

  router.get('/api/v1/admin/redrives/:redriveId', async (request, response) => {
    response.json(await getRedrive(database, request.params.redriveId));
  });

  router.post('/api/v1/admin/redrives/:redriveId/cancel', async (request, response) => {
    const { redriveId } = request.params;
    response.json(await cancelRedrive(database, administratorOf(request), redriveId, now()));
  });

  return router;
}
