import { Router } from 'express';
import type { Schemas } from '../http/contract/contract-types.ts';
import type { Services } from '../services.ts';
import { checksOfApi, createReadinessCheck, toReadinessResponse } from './readiness.ts';

/** The health of this process, for load balancers and supervisors, and what administrators need of its configuration. */
export function healthRoutes({
  database,
  workflowClient,
  temporalUi,
}: Pick<Services, 'database' | 'workflowClient'> & {
  temporalUi: { url: string | null; namespace: string };
}): Router {
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
  router.get('/api/v1/admin/settings', (_request, response) => {
    const { url, namespace } = temporalUi;
    response.json({ temporalUiUrl: url, temporalNamespace: namespace } satisfies Schemas['ServiceSettings']);
  });
  return router;
}
