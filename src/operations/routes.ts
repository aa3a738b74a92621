import { Router } from 'express';
import type { Services } from '../services.ts';
import { checkDatabase, checkTemporal, createReadinessCheck } from './readiness.ts';

/** The health of this process, for load balancers and supervisors. */
export function healthRoutes({
  database,
  workflowClient,
}: Pick<Services, 'database' | 'workflowClient'>): Router {
  const router = Router();
  // Without Temporal the API still accepts messages: their rows wait. So a load balancer must not take it out.
  const checkReadiness = createReadinessCheck([
    checkDatabase(database),
    checkTemporal(workflowClient, { isRequired: false }),
  ]);
  router.get('/health', (_request, response) => void response.json({ status: 'ok' }));
  // A stored response would say that a process lives which has died.
  router.use(['/health/live', '/health/ready'], (_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  router.get('/health/live', (_request, response) => void response.json({ status: 'ok' }));
  router.get('/health/ready', async (_request, response) => {
    const { isReady, parts } = await checkReadiness();
    response.status(isReady ? 200 : 503).json({ status: isReady ? 'ok' : 'unavailable', parts });
  });
  return router;
}
