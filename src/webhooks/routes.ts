import { Router, type Request } from 'express';
import { administratorOf } from '../auth/administrator.ts';
import type { Database } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { readCursor } from '../http/cursor.ts';
import { createRedriveAnyDelivery, listAllDeliveries } from './administer-deliveries.ts';
import { listDeliveries, type DeliveryQuery } from './list-deliveries.ts';
import { createRedriveDelivery } from './redrive-deliveries.ts';
import type { DeliveryStatus } from './webhook-delivery.entity.ts';

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
    response.json(await listDeliveries(database, request.principal, readQuery(request)));
  });

  router.post('/api/v1/webhook-deliveries/:deliveryId/redrive', async (request, response) => {
    response.json(await redriveDelivery(request.principal, request.params.deliveryId));
  });

  router.get('/api/v1/admin/webhook-deliveries', async (request, response) => {
    const organizationId = request.query['organizationId'] as string | undefined;
    response.json(await listAllDeliveries(database, { ...readQuery(request), organizationId }));
  });

  router.post('/api/v1/admin/webhook-deliveries/:deliveryId/redrive', async (request, response) => {
    response.json(await redriveAnyDelivery(administratorOf(request), request.params.deliveryId));
  });

  return router;
}

function readQuery(request: Request): DeliveryQuery {
  return { ...readCursor(request), status: request.query['status'] as DeliveryStatus | undefined };
}
