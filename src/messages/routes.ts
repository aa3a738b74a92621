import { Router } from 'express';
import type { Principal } from '../auth/principal.ts';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { getMessage } from './get-message.ts';
import { listMessages } from './list-messages.ts';
import type { MessageInput } from './draft-message.ts';
import { readMessageFilters } from './message-filters.ts';
import type { MessageRecord } from './message-record.ts';

export function messageRoutes(dependencies: {
  database: Database;
  sendMessage: (principal: Principal, input: MessageInput) => Promise<MessageRecord>;
}): Router {
  const { database, sendMessage } = dependencies;
  const router = Router();

  router.post('/api/v1/messages', async (request, response) => {
    response.status(202).json(await sendMessage(request.principal, request.body as MessageInput));
  });

  router.get('/api/v1/messages', async (request, response) => {
    const filters = readMessageFilters(request.query);
    response.json(await listMessages(database, request.principal, filters, readCursor(request.query)));
  });

  router.get('/api/v1/messages/:messageId', async (request, response) => {
    response.json(await getMessage(database, request.principal, request.params.messageId));
  });

  return router;
}
