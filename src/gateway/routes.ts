import { Router } from 'express';
import { inputOf } from '../http/input-of.ts';
import type { GatewayMessage } from '../inbound/gateway-message.ts';
import type { GatewayReport } from './receive-report.ts';

/** The gateway's callbacks. Their token is checked with all other credentials, in auth/authenticate.ts. */
export function gatewayRoutes(dependencies: {
  receiveReport: (report: GatewayReport) => Promise<void>;
  receiveInbound: (message: GatewayMessage) => Promise<void>;
}): Router {
  const router = Router();

  router.get('/api/v1/gateway/dlr', async (request, response) => {
    const { messageId, status, smscId, providerMessageId } = inputOf(request, 'receiveDeliveryReport').query;
    await dependencies.receiveReport({ messageId, status, smscId, providerMessageId });
    response.type('text/plain').send('');
  });

  // The body is empty, because Kannel sends it to the phone as an SMS.
  router.get('/api/v1/gateway/mo', async (request, response) => {
    const { query } = inputOf(request, 'receiveInboundMessage');
    const { from, to, text, smscId, providerMessageId, timestamp } = query;
    await dependencies.receiveInbound({ from, to, text, smscId, providerMessageId, timestamp });
    response.type('text/plain').send('');
  });

  return router;
}
