import { Router } from 'express';
import { administratorOf } from '../auth/administrator.ts';
import { createWorkflowCalls } from '../dispatches/row-workflows.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import type { Services } from '../services.ts';
import { getConsent } from '../suppressions/get-consent.ts';
import { erasureWorkflow, retentionWorkflow } from './discarding-workflows.ts';
import { exportPerson, exportUnroutedPerson } from './export-person.ts';
import { getRetention } from './get-retention.ts';
import { getErasure, getPlatformErasure, listErasures, listPlatformErasures } from './list-erasures.ts';
import { readNumber } from './read-number.ts';
import { createRequestErasure, createRequestPlatformErasure } from './request-erasure.ts';
import { sendJson } from './send-json.ts';
import { setRetention } from './set-retention.ts';

export function privacyRoutes(services: Services): Router {
  const { database, hashNumber } = services;
  const retentions = createWorkflowCalls(services, retentionWorkflow);
  const erasing = { ...services, workflows: createWorkflowCalls(services, erasureWorkflow) };
  const requestErasure = createRequestErasure(erasing);
  const requestPlatformErasure = createRequestPlatformErasure(erasing);
  const router = Router();

  router.get('/api/v1/privacy/retention', async (request, response) => {
    response.json(await getRetention(database, request.principal));
  });

  router.put('/api/v1/privacy/retention', async (request, response) => {
    const { body } = inputOf(request, 'setRetention');
    response.json(await setRetention(database, retentions, request.principal, body));
  });

  router.get('/api/v1/privacy/erasures', async (request, response) => {
    response.json(await listErasures(database, request.principal, readCursor(request)));
  });

  router.post('/api/v1/privacy/erasures', async (request, response) => {
    const { body } = inputOf(request, 'requestErasure');
    response.status(202).json(await requestErasure(request.principal, body));
  });

  router.get('/api/v1/privacy/erasures/:erasureId', async (request, response) => {
    response.json(await getErasure(database, request.principal, request.params.erasureId));
  });

  router.get('/api/v1/privacy/export', async (request, response) => {
    const { query } = inputOf(request, 'exportPerson');
    const phoneNumber = readNumber(query.phoneNumber, '/query/phoneNumber');
    await sendJson(response, await exportPerson(services, request.principal, phoneNumber));
  });

  router.get('/api/v1/privacy/consent', async (request, response) => {
    const { query } = inputOf(request, 'getConsent');
    const phoneNumber = readNumber(query.phoneNumber, '/query/phoneNumber');
    const numberHash = await hashNumber(phoneNumber);
    response.json(await getConsent(database, request.principal, { phoneNumber, numberHash }));
  });

  router.get('/api/v1/admin/privacy/erasures', async (request, response) => {
    response.json(await listPlatformErasures(database, readCursor(request)));
  });

  router.post('/api/v1/admin/privacy/erasures', async (request, response) => {
    const { body } = inputOf(request, 'requestPlatformErasure');
    response.status(202).json(await requestPlatformErasure(administratorOf(request), body));
  });

  router.get('/api/v1/admin/privacy/erasures/:erasureId', async (request, response) => {
    response.json(await getPlatformErasure(database, request.params.erasureId));
  });

  router.get('/api/v1/admin/privacy/export', async (request, response) => {
    const { query } = inputOf(request, 'exportUnroutedPerson');
    const phoneNumber = readNumber(query.phoneNumber, '/query/phoneNumber');
    await sendJson(response, await exportUnroutedPerson(database, administratorOf(request), phoneNumber));
  });

  return router;
}
