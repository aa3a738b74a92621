import { Router } from 'express';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { nameOfList, readCursor } from '../http/cursor.ts';
import { estimateMessage } from './estimate-message.ts';
import { answerOnce } from '../idempotency/answer-once.ts';
import type { IdempotentResult } from '../idempotency/find-answer.ts';
import { readIdempotencyClaim, type IdempotencyClaim } from '../idempotency/idempotency-claim.ts';
import { getMessage } from './get-message.ts';
import { getTimeline } from './get-timeline.ts';
import { listMessages } from './list-messages.ts';
import type { MessageInput } from './draft-message.ts';
import { readMessageFilters } from './message-filters.ts';
import type { MessageRecord } from './message-record.ts';

export function messageRoutes(dependencies: {
  database: Database;
  sendMessage: (
    principal: Principal,
    input: MessageInput,
    claim: IdempotencyClaim | null,
  ) => Promise<IdempotentResult<MessageRecord>>;
  webhookAllowedHosts: readonly string[];
}): Router {
  const { database, sendMessage, webhookAllowedHosts } = dependencies;
  const router = Router();

  router.post('/api/v1/messages', async (request, response) => {
    const input = request.body as MessageInput;
    const claim = readIdempotencyClaim(request, input);
    answerOnce(response, 202, await sendMessage(request.principal, input, claim));
  });

  router.post('/api/v1/messages/estimate', async (request, response) => {
    const input = request.body as MessageInput;
    response.json(await estimateMessage(database, request.principal, input, webhookAllowedHosts));
  });

  router.get('/api/v1/messages', async (request, response) => {
    const filters = readMessageFilters(request.query);
    response.json(await listMessages(database, request.principal, filters, readCursor(request)));
  });

  router.get('/api/v1/messages/:messageId', async (request, response) => {
    response.json(await getMessage(database, request.principal, request.params.messageId));
  });

  router.get('/api/v1/messages/:messageId/timeline', async (request, response) => {
    const { principal, params, query } = request;
    const asked = { ...query, list: nameOfList(request) };
    response.json(await getTimeline(database, principal, params.messageId, asked));
  });

  return router;
}
