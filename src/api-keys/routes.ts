import { Router } from 'express';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import { revokeApiKey, updateApiKey } from './change-api-key.ts';
import type { ApiKeyLookup } from './find-api-key.ts';
import { createApiKey } from './create-api-key.ts';
import { listApiKeys } from './list-api-keys.ts';

export function apiKeyRoutes(dependencies: {
  database: Database;
  apiKeys: ApiKeyLookup;
  /** After how many days a live key expires that names no expiry. */
  liveKeyDays?: number | undefined;
}): Router {
  const { database, liveKeyDays } = dependencies;
  const router = Router();

  router.get('/api/v1/api-keys', async (request, response) => {
    response.json(await listApiKeys(database, request.principal, readCursor(request)));
  });

  router.post('/api/v1/api-keys', async (request, response) => {
    const { body } = inputOf(request, 'createApiKey');
    response.status(201).json(await createApiKey(database, request.principal, body, liveKeyDays));
  });

  router.patch('/api/v1/api-keys/:keyId', async (request, response) => {
    const { keyId } = request.params;
    const { body } = inputOf(request, 'updateApiKey');
    response.json(await updateApiKey(dependencies, request.principal, keyId, body));
  });

  router.delete('/api/v1/api-keys/:keyId', async (request, response) => {
    await revokeApiKey(dependencies, request.principal, request.params.keyId);
    response.status(204).end();
  });

  return router;
}
