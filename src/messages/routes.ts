import { Router } from 'express';
import { nameOfList, readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import { chooseEnvironment } from './choose-environment.ts';
import { estimateMessage } from './estimate-message.ts';
import { answerOnce } from '../idempotency/answer-once.ts';
import { readIdempotencyKeyUse } from '../idempotency/idempotency-key-use.ts';
import type { Services } from '../services.ts';
import { getMessage } from './get-message.ts';
import { getTimeline } from './timeline/get-timeline.ts';
import { listFailedMessages } from './list-failed-messages.ts';
import { listMessages } from './list-messages.ts';
import { readMessageFilters } from './message-filters.ts';
import { createSendMessage } from './send-message.ts';

export function messageRoutes(dependencies: Services & { webhookAllowedHosts: readonly string[] }): Router {
  const { database, webhookAllowedHosts, hashNumber, now } = dependencies;
  const sendMessage = createSendMessage(dependencies);
  const router = Router();

  router.post('/api/v1/messages', async (request, response) => {
    const { body } = inputOf(request, 'sendMessage');
    const keyUse = readIdempotencyKeyUse(request, body);
    const principal = chooseEnvironment(request.principal, body.environment);
    answerOnce(response, 202, await sendMessage(principal, body, keyUse));
  });

  router.post('/api/v1/messages/estimate', async (request, response) => {
    const { body } = inputOf(request, 'estimateMessage');
    const principal = chooseEnvironment(request.principal, body.environment);
    response.json(await estimateMessage(database, principal, body, webhookAllowedHosts, hashNumber, now()));
  });

  router.get('/api/v1/messages', async (request, response) => {
    const { query } = inputOf(request, 'listMessages');
    const filters = readMessageFilters(query);
    response.json(await listMessages(database, request.principal, filters, readCursor(request)));
  });

  router.get('/api/v1/admin/messages', async (request, response) => {
    const { query } = inputOf(request, 'listFailedMessages');
    response.json(await listFailedMessages(database, query, readCursor(request)));
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
