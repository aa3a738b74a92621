import { Router } from 'express';
import { administratorOf } from '../auth/administrator.ts';
import { inputOf } from '../http/contract/input-of.ts';
import type { Services } from '../services.ts';
import { changeSendingControls } from './change-sending-controls.ts';
import { getSendingControls } from './get-sending-controls.ts';

export function sendingControlsRoutes({ database, now }: Services): Router {
  const router = Router();

  router.get('/api/v1/admin/sending-controls', async (_request, response) => {
    response.json(await getSendingControls(database, null));
  });

  router.put('/api/v1/admin/sending-controls', async (request, response) => {
    const { body } = inputOf(request, 'changePlatformSendingControls');
    response.json(await changeSendingControls(database, administratorOf(request), null, body, now()));
  });

  router.get('/api/v1/admin/organizations/:organizationId/sending-controls', async (request, response) => {
    response.json(await getSendingControls(database, request.params.organizationId));
  });

  router.put('/api/v1/admin/organizations/:organizationId/sending-controls', async (request, response) => {
    const { body } = inputOf(request, 'changeSendingControls');
    const { organizationId } = request.params;
    response.json(
      await changeSendingControls(database, administratorOf(request), organizationId, body, now()),
    );
  });

  return router;
}
