import { Router } from 'express';
import { createWorkflowCalls } from '../dispatches/row-workflows.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import { readPage } from '../http/page.ts';
import { sendCsv } from '../http/send-csv.ts';
import type { Services } from '../services.ts';
import type { EventStreams } from '../streams/event-streams.ts';
import { bulkBatchWorkflow } from './bulk-batch-workflow.ts';
import {
  cancelBulkBatch,
  changeBulkRate,
  pauseBulkBatch,
  resumeBulkBatch,
  startBulkBatch,
} from './change-bulk-batch.ts';
import { createBulkBatch } from './create-bulk-batch.ts';
import { estimateBulkSms } from './estimate-bulk-sms.ts';
import { exportBulkMessages } from './export-bulk-messages.ts';
import { getBulkBatch } from './get-bulk-batch.ts';
import { listBulkBatches } from './list-bulk-batches.ts';
import { listBulkFailures } from './list-bulk-failures.ts';
import { listBulkMessages } from './list-bulk-messages.ts';
import { streamBatchProgress } from './stream-batch-progress.ts';

export function bulkSmsRoutes(services: Services & { streams: EventStreams }): Router {
  const { database, streams, now } = services;
  const dependencies = { database, now, workflows: createWorkflowCalls(services, bulkBatchWorkflow) };
  const router = Router();

  router.get('/api/v1/bulk-sms', async (request, response) => {
    response.json(await listBulkBatches(database, request.principal, readCursor(request), now()));
  });

  router.post('/api/v1/bulk-sms', async (request, response) => {
    const { body } = inputOf(request, 'sendBulkSms');
    response.status(202).json(await createBulkBatch(dependencies, request.principal, body));
  });

  router.post('/api/v1/bulk-sms/estimate', async (request, response) => {
    const { body } = inputOf(request, 'estimateBulkSms');
    response.json(await estimateBulkSms(database, request.principal, body));
  });

  router.get('/api/v1/bulk-sms/:bulkSmsId', async (request, response) => {
    response.json(await getBulkBatch(database, request.principal, request.params.bulkSmsId, now()));
  });

  router.delete('/api/v1/bulk-sms/:bulkSmsId', async (request, response) => {
    await cancelBulkBatch(dependencies, request.principal, request.params.bulkSmsId);
    response.status(204).end();
  });

  router.patch('/api/v1/bulk-sms/:bulkSmsId/start', async (request, response) => {
    response.json(await startBulkBatch(dependencies, request.principal, request.params.bulkSmsId));
  });

  router.patch('/api/v1/bulk-sms/:bulkSmsId/pause', async (request, response) => {
    response.json(await pauseBulkBatch(dependencies, request.principal, request.params.bulkSmsId));
  });

  router.patch('/api/v1/bulk-sms/:bulkSmsId/resume', async (request, response) => {
    response.json(await resumeBulkBatch(dependencies, request.principal, request.params.bulkSmsId));
  });

  router.patch('/api/v1/bulk-sms/:bulkSmsId/rate', async (request, response) => {
    const { ratePerSecond } = inputOf(request, 'changeBulkSmsRate').body;
    const { principal, params } = request;
    response.json(await changeBulkRate(dependencies, principal, params.bulkSmsId, ratePerSecond));
  });

  router.get('/api/v1/bulk-sms/:bulkSmsId/messages', async (request, response) => {
    const { principal, params } = request;
    const { query } = inputOf(request, 'listBulkSmsMessages');
    response.json(
      await listBulkMessages(database, principal, params.bulkSmsId, query, readPage(query), now()),
    );
  });

  router.get('/api/v1/bulk-sms/:bulkSmsId/messages/export', async (request, response) => {
    const { principal, params } = request;
    const { query } = inputOf(request, 'exportBulkSmsMessages');
    const lines = await exportBulkMessages(database, principal, params.bulkSmsId, query, now());
    await sendCsv(response, `bulk-sms-${params.bulkSmsId}.csv`, lines);
  });

  router.get('/api/v1/bulk-sms/:bulkSmsId/failures', async (request, response) => {
    response.json(await listBulkFailures(database, request.principal, request.params.bulkSmsId, now()));
  });

  router.get('/api/v1/bulk-sms/:bulkSmsId/events', async (request, response) => {
    const { principal, params } = request;
    const read = () => getBulkBatch(database, principal, params.bulkSmsId, now());
    const first = await read();
    await streamBatchProgress(streams.open(request, response, principal.organizationId), first, read);
  });

  return router;
}
