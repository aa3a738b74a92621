import { Router } from 'express';
import type { Database } from '../database.ts';
import { sendCsv } from '../http/send-csv.ts';
import { exportAnalytics } from './export-analytics.ts';
import { getAnalytics } from './get-analytics.ts';

export function analyticsRoutes({ database, now }: { database: Database; now: () => Date }): Router {
  const router = Router();

  router.get('/api/v1/analytics', async ({ principal, query }, response) => {
    response.json(await getAnalytics(database, principal, query, now()));
  });

  router.get('/api/v1/analytics/export', async ({ principal, query }, response) => {
    const { fileName, lines } = await exportAnalytics(database, principal, query, now());
    await sendCsv(response, fileName, lines);
  });

  return router;
}
