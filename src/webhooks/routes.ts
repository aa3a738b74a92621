import { Router } from 'express';
import { administratorOf } from '../auth/administrator.ts';
import type { Database } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import { createRedriveAnyDelivery, listAllDeliveries } from './administer-deliveries.ts';
import { getDelivery } from './get-delivery.ts';
import { listDeliveries } from './list-deliveries.ts';
import { createRedriveDelivery } from './redrive-deliveries.ts';

export function webhookRoutes(dependencies: {
  database: Database;
  startWebhooks: (row: DispatchRow) => void;
  now: () => Date;
}): Router {
  const { database } = dependencies;
  const redriveDelivery = createRedriveDelivery(dependencies);
  const redriveAnyDelivery = createRedriveAnyDelivery(dependencies);
  const router = Router();

  router.get('/api/v1/webhook-deliveries', async (request, response) => {
    const { query } = inputOf(request, 'listWebhookDeliveries');
    const page = { status: query.status, messageId: query.messageId, ...readCursor(request) };
    response.json(await listDeliveries(database, request.principal, page));
  });

  router.get('/api/v1/webhook-deliveries/:deliveryId', async (request, response) => {
    response.json(await getDelivery(database, request.principal, request.params.deliveryId));
  });

  router.post('/api/v1/webhook-deliveries/:deliveryId/redrive', async (request, response) => {
    response.json(await redriveDelivery(request.principal, request.params.deliveryId));
  });

  router.get('/api/v1/admin/webhook-deliveries', async (request, response) => {
    const { query } = inputOf(request, 'listAllWebhookDeliveries');
    const { organizationId, status } = query;
    response.json(await listAllDeliveries(database, { organizationId, status, ...readCursor(request) }));
  });

  router.post('/api/v1/admin/webhook-deliveries/:deliveryId/redrive', async (request, response) => {
    response.json(await redriveAnyDelivery(administratorOf(request), request.params.deliveryId));
  });

  return router;
}
