import { Router } from 'express';
import type { Mailer } from '../auth/mails/mailer.ts';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import { deleteSenderId } from './delete-sender-id.ts';
import { listAllSenderIds } from './list-all-sender-ids.ts';
import { listSenderIds } from './list-sender-ids.ts';
import { requestSenderId } from './request-sender-id.ts';
import { resubmitSenderId } from './resubmit-sender-id.ts';
import { createReviewSenderId } from './review-sender-id.ts';

export function senderIdRoutes(dependencies: { database: Database; mailer: Mailer | null }): Router {
  const { database } = dependencies;
  const reviewSenderId = createReviewSenderId(dependencies);
  const router = Router();

  router.get('/api/v1/sender-ids', async (request, response) => {
    const { query } = inputOf(request, 'listSenderIds');
    response.json(await listSenderIds(database, request.principal, query.status, readCursor(request)));
  });

  router.post('/api/v1/sender-ids', async (request, response) => {
    const { body } = inputOf(request, 'requestSenderId');
    response.status(201).json(await requestSenderId(database, request.principal, body));
  });

  router.patch('/api/v1/sender-ids/:senderId', async (request, response) => {
    const { principal, params } = request;
    const { body } = inputOf(request, 'resubmitSenderId');
    response.json(await resubmitSenderId(database, principal, params.senderId, body));
  });

  router.delete('/api/v1/sender-ids/:senderId', async (request, response) => {
    await deleteSenderId(database, request.principal, request.params.senderId);
    response.status(204).end();
  });

  router.get('/api/v1/admin/sender-ids', async (request, response) => {
    const { query } = inputOf(request, 'listAllSenderIds');
    response.json(await listAllSenderIds(database, query, readCursor(request)));
  });

  router.patch('/api/v1/admin/sender-ids/:senderId/review', async (request, response) => {
    const { session, params } = request;
    const { body } = inputOf(request, 'reviewSenderId');
    response.json(await reviewSenderId(session!, params.senderId, body));
  });

  return router;
}
