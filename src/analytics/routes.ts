import { Router } from 'express';
import type { Database } from '../database.ts';
import { inputOf } from '../http/contract/input-of.ts';
import { sendCsv } from '../http/send-csv.ts';
import { exportAnalytics } from './export-analytics.ts';
import { getCodeAnalytics } from './get-code-analytics.ts';
import { getAnalytics } from './get-analytics.ts';

export function analyticsRoutes({ database, now }: { database: Database; now: () => Date }): Router {
  const router = Router();

  router.get('/api/v1/analytics', async (request, response) => {
    const { query } = inputOf(request, 'getAnalytics');
    response.json(await getAnalytics(database, request.principal, query, now()));
  });

  router.get('/api/v1/analytics/export', async (request, response) => {
    const { query } = inputOf(request, 'exportAnalytics');
    const { fileName, lines } = await exportAnalytics(database, request.principal, query, now());
    await sendCsv(response, fileName, lines);
  });

  router.get('/api/v1/analytics/security-codes', async (request, response) => {
    const { query } = inputOf(request, 'getSecurityCodeAnalytics');
    response.json(await getCodeAnalytics(database, request.principal, query, now()));
  });

  return router;
}
