import { Router } from 'express';
import { administratorOf } from '../auth/administrator.ts';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/input-of.ts';
import { cancelRedrive } from './cancel-redrive.ts';
import { getRedrive, listRedrives } from './list-redrives.ts';
import { createRequestRedrive } from './request-redrive.ts';
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
    const { body } = inputOf(request, 'redriveMessages');
    response.status(202).json(await requestRedrive(administratorOf(request), 'messages', body));
  });

  router.post('/api/v1/admin/webhook-deliveries/redrive', async (request, response) => {
    const { body } = inputOf(request, 'redriveWebhookDeliveries');
    response.status(202).json(await requestRedrive(administratorOf(request), 'webhook_deliveries', body));
  });

  router.get('/api/v1/admin/redrives', async (request, response) => {
    response.json(await listRedrives(database, readCursor(request.query)));
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
