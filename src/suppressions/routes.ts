import { Router } from 'express';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import type { HashNumber } from '../privacy/number-hash.ts';
import { listSuppressions } from './list-suppressions.ts';
import { suppressNumber } from './suppress-number.ts';
import { unsuppressNumber } from './unsuppress-number.ts';

export function suppressionRoutes({
  database,
  hashNumber,
}: {
  database: Database;
  hashNumber: HashNumber;
}): Router {
  const router = Router();

  router.get('/api/v1/suppressions', async (request, response) => {
    const { query } = inputOf(request, 'listSuppressions');
    response.json(await listSuppressions(database, request.principal, query.search, readCursor(request)));
  });

  router.post('/api/v1/suppressions', async (request, response) => {
    const { body } = inputOf(request, 'suppressNumber');
    const { record, isNew } = await suppressNumber(database, request.principal, body, hashNumber);
    response.status(isNew ? 201 : 200).json(record);
  });

  router.delete('/api/v1/suppressions/:suppressionId', async (request, response) => {
    await unsuppressNumber(database, request.principal, request.params.suppressionId, hashNumber);
    response.status(204).end();
  });

  return router;
}
