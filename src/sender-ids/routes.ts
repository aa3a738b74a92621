import { Router } from 'express';
import type { Mailer } from '../auth/mailer.ts';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { deleteSenderId } from './delete-sender-id.ts';
import { listAllSenderIds, type SenderIdFilter } from './list-all-sender-ids.ts';
import { listSenderIds } from './list-sender-ids.ts';
import { requestSenderId } from './request-sender-id.ts';
import { resubmitSenderId } from './resubmit-sender-id.ts';
import { createReviewSenderId, type SenderReview } from './review-sender-id.ts';
import type { SenderRequest } from './sender-request.ts';

export function senderIdRoutes(dependencies: { database: Database; mailer: Mailer | null }): Router {
  const { database } = dependencies;
  const reviewSenderId = createReviewSenderId(dependencies);
  const router = Router();

  router.get('/api/v1/sender-ids', async (request, response) => {
    const { principal, query } = request;
    const { status } = query as SenderIdFilter;
    response.json(await listSenderIds(database, principal, status, readCursor(request)));
  });

  router.post('/api/v1/sender-ids', async (request, response) => {
    const input = request.body as SenderRequest;
    response.status(201).json(await requestSenderId(database, request.principal, input));
  });

  router.patch('/api/v1/sender-ids/:senderId', async (request, response) => {
    const { principal, params } = request;
    response.json(
      await resubmitSenderId(database, principal, params.senderId, request.body as SenderRequest),
    );
  });

  router.delete('/api/v1/sender-ids/:senderId', async (request, response) => {
    await deleteSenderId(database, request.principal, request.params.senderId);
    response.status(204).end();
  });

  router.get('/api/v1/admin/sender-ids', async (request, response) => {
    const { query } = request;
    response.json(await listAllSenderIds(database, query, readCursor(request)));
  });

  router.patch('/api/v1/admin/sender-ids/:senderId/review', async (request, response) => {
    const { session, params } = request;
    response.json(await reviewSenderId(session!, params.senderId, request.body as SenderReview));
  });

  return router;
}
