import { Router } from 'express';
import type { Principal } from '../auth/principal.ts';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { estimateMessage } from './estimate-message.ts';
import { getMessage } from './get-message.ts';
import { getTimeline } from './get-timeline.ts';
import { listMessages } from './list-messages.ts';
import type { MessageInput } from './draft-message.ts';
import { readMessageFilters } from './message-filters.ts';
import type { MessageRecord } from './message-record.ts';

export function messageRoutes(dependencies: {
  database: Database;
  sendMessage: (principal: Principal, input: MessageInput) => Promise<MessageRecord>;
  webhookAllowedHosts: readonly string[];
}): Router {
  const { database, sendMessage, webhookAllowedHosts } = dependencies;
  const router = Router();

  router.post('/api/v1/messages', async (request, response) => {
    response.status(202).json(await sendMessage(request.principal, request.body as MessageInput));
  });

  router.post('/api/v1/messages/estimate', async (request, response) => {
    const input = request.body as MessageInput;
    response.json(await estimateMessage(database, request.principal, input, webhookAllowedHosts));
  });

  router.get('/api/v1/messages', async (request, response) => {
    const filters = readMessageFilters(request.query);
    response.json(await listMessages(database, request.principal, filters, readCursor(request.query)));
  });

  router.get('/api/v1/messages/:messageId', async (request, response) => {
    response.json(await getMessage(database, request.principal, request.params.messageId));
  });

  router.get('/api/v1/messages/:messageId/timeline', async (request, response) => {
    const { principal, params, query } = request;
    response.json(await getTimeline(database, principal, params.messageId, query));
  });

  return router;
}
