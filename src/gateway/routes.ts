import { Router } from 'express';
import type { GatewayMessage } from '../inbound/gateway-message.ts';
import { createReceiveInbound } from '../inbound/receive-inbound.ts';
import type { Services } from '../services.ts';
import { createReceiveReport, type GatewayReport } from './receive-report.ts';

/** The gateway's callbacks. Their token is checked with all other credentials, in auth/authenticate.ts. */
export function gatewayRoutes(services: Services): Router {
  const receiveReport = createReceiveReport(services);
  const receiveInbound = createReceiveInbound(services);
  const router = Router();

  router.get('/api/v1/gateway/dlr', async (request, response) => {
    const { messageId, status, smscId, providerMessageId } = request.query as unknown as GatewayReport;
    await receiveReport({ messageId, status, smscId, providerMessageId });
    response.type('text/plain').send('');
  });

  // The body is empty, because Kannel sends it to the phone as an SMS.
  router.get('/api/v1/gateway/mo', async (request, response) => {
    const { from, to, text, smscId, providerMessageId, timestamp } =
      request.query as unknown as GatewayMessage;
    await receiveInbound({ from, to, text, smscId, providerMessageId, timestamp });
    response.type('text/plain').send('');
  });

  return router;
}
