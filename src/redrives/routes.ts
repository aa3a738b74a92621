import { Router } from 'express';
import { administratorOf } from '../auth/administrator.ts';
import { createWorkflowCalls } from '../dispatches/row-workflows.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import type { Services } from '../services.ts';
import { cancelRedrive } from './cancel-redrive.ts';
import { getRedrive, listRedrives } from './list-redrives.ts';
import { redriveWorkflow } from './redrive-workflow.ts';
import { createRequestRedrive } from './request-redrive.ts';

export function redriveRoutes(services: Services): Router {
  const { database, now } = services;
  const { start: startRedrive } = createWorkflowCalls(services, redriveWorkflow);
  const requestRedrive = createRequestRedrive({ database, startRedrive, now });
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
