import { Router } from 'express';
import type { GatewayReport } from './receive-report.ts';

/** The gateway's callbacks. Their token is checked where every caller is: auth/authenticate.ts. */
export function gatewayRoutes(dependencies: {
  receiveReport: (report: GatewayReport) => Promise<void>;
}): Router {
  const router = Router();

  router.get('/api/v1/gateway/dlr', async (request, response) => {
    const { messageId, status, smscId, providerMessageId } = request.query as unknown as GatewayReport;
    await dependencies.receiveReport({ messageId, status, smscId, providerMessageId });
    response.type('text/plain').send('');
  });

  return router;
}
