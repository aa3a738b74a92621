import { Router } from 'express';
import { inputOf } from '../http/contract/input-of.ts';
import { createReceiveInbound } from '../inbound/receive-inbound.ts';
import type { Services } from '../services.ts';
import type { GatewayReport } from './receive-report.ts';

/**
 * The gateway's callbacks. Their token is checked with all other credentials, in auth/access/authenticate.ts. Reports of
 * the usual form do not arrive here: `receive-usual-reports.ts`.
 */
export function gatewayRoutes(
  services: Services & { receiveReport: (report: GatewayReport) => Promise<void> },
): Router {
  const { receiveReport } = services;
  const receiveInbound = createReceiveInbound(services);
  const router = Router();

  router.get('/api/v1/gateway/dlr', async (request, response) => {
    const { messageId, status, smscId, providerMessageId } = inputOf(request, 'receiveDeliveryReport').query;
    await receiveReport({ messageId, status, smscId, providerMessageId });
    response.type('text/plain').send('');
  });

  // The body is empty, because Kannel sends it to the phone as an SMS.
  router.get('/api/v1/gateway/mo', async (request, response) => {
    const { query } = inputOf(request, 'receiveInboundMessage');
    const { from, to, text, smscId, providerMessageId, timestamp } = query;
    await receiveInbound({ from, to, text, smscId, providerMessageId, timestamp });
    response.type('text/plain').send('');
  });

  return router;
}
