import { Router } from 'express';
import type { Services } from '../services.ts';
import { checksOfApi, createReadinessCheck, toReadinessResponse } from './readiness.ts';

/** The health of this process, for load balancers and supervisors. */
export function healthRoutes({
  database,
  workflowClient,
}: Pick<Services, 'database' | 'workflowClient'>): Router {
  const router = Router();
  const checkReadiness = createReadinessCheck(checksOfApi(database, workflowClient));
  router.get('/health', (_request, response) => void response.json({ status: 'ok' }));
  // A stored response would say that a process lives which has died.
  router.use(['/health/live', '/health/ready'], (_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  router.get('/health/live', (_request, response) => void response.json({ status: 'ok' }));
  router.get('/health/ready', async (_request, response) => {
    const { status, body } = toReadinessResponse(await checkReadiness());
    response.status(status).json(body);
  });
  return router;
}
