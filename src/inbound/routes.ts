import { Router } from 'express';
import type { Database } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import { testKeywords } from './keywords/test-keywords.ts';
import { createKeyword } from './keywords/create-keyword.ts';
import { deleteKeyword } from './keywords/delete-keyword.ts';
import { listConversations } from './list-conversations.ts';
import { listThread } from './list-thread.ts';
import { listInboundMessages } from './list-inbound-messages.ts';
import { listKeywords } from './keywords/list-keywords.ts';
import { listUnroutedMessages } from './list-unrouted-messages.ts';
import { createRedriveInboundMessage } from './redrive-inbound-message.ts';
import { updateKeyword } from './keywords/update-keyword.ts';

export function inboundRoutes(dependencies: {
  database: Database;
  startInbound: (row: DispatchRow) => void;
  now: () => Date;
}): Router {
  const { database } = dependencies;
  const redriveInboundMessage = createRedriveInboundMessage(dependencies);
  const router = Router();

  router.get('/api/v1/inbound/keywords', async (request, response) => {
    response.json(await listKeywords(database, request.principal, readCursor(request)));
  });

  router.post('/api/v1/inbound/keywords', async (request, response) => {
    const { body } = inputOf(request, 'createInboundKeyword');
    response.status(201).json(await createKeyword(database, request.principal, body));
  });

  router.post('/api/v1/inbound/keywords/test', async (request, response) => {
    const { text } = inputOf(request, 'testInboundKeywords').body;
    response.json(await testKeywords(database, request.principal, text));
  });

  router.patch('/api/v1/inbound/keywords/:keywordId', async (request, response) => {
    const { principal, params } = request;
    const { body } = inputOf(request, 'updateInboundKeyword');
    response.json(await updateKeyword(database, principal, params.keywordId, body));
  });

  router.delete('/api/v1/inbound/keywords/:keywordId', async (request, response) => {
    await deleteKeyword(database, request.principal, request.params.keywordId);
    response.status(204).end();
  });

  router.get('/api/v1/inbound/messages', async (request, response) => {
    const { query } = inputOf(request, 'listInboundMessages');
    const page = { status: query.status, ...readCursor(request) };
    response.json(await listInboundMessages(database, request.principal, page));
  });

  router.get('/api/v1/inbound/conversations', async (request, response) => {
    response.json(await listConversations(database, request.principal, readCursor(request)));
  });

  router.get('/api/v1/inbound/messages/:messageId/thread', async (request, response) => {
    const { principal, params } = request;
    response.json(await listThread(database, principal, params.messageId, readCursor(request)));
  });

  router.post('/api/v1/inbound/messages/:messageId/redrive', async (request, response) => {
    const { principal, params } = request;
    response.json(await redriveInboundMessage(principal, params.messageId));
  });

  router.get('/api/v1/admin/inbound/messages', async (request, response) => {
    const { query } = inputOf(request, 'listUnroutedMessages');
    response.json(await listUnroutedMessages(database, { status: query.status, ...readCursor(request) }));
  });

  return router;
}
