import { Router, type Request } from 'express';
import { createWorkflowCalls } from '../dispatches/row-workflows.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import { sendCsv } from '../http/send-csv.ts';
import { createSendSecurityCode } from '../security-codes/send-security-code.ts';
import { createVerifySecurityCode } from '../security-codes/verify-security-code.ts';
import type { Services } from '../services.ts';
import { createBeginImport, type CsvFile } from './import/begin-import.ts';
import { changeContact } from './change-contact.ts';
import { readContactFilters } from './contact-filters.ts';
import { createConfirmVerification } from './confirm-verification.ts';
import { countContacts } from './count-contacts.ts';
import { createContact } from './create-contact.ts';
import { deleteContact } from './delete-contact.ts';
import { exportContacts } from './export-contacts.ts';
import { exportRejects } from './import/export-rejects.ts';
import { getImport } from './import/get-import.ts';
import { importWorkflow } from './import/import-workflow.ts';
import { listContacts } from './list-contacts.ts';
import { createRequestVerification } from './request-verification.ts';

export function contactRoutes(services: Services): Router {
  const { database, now } = services;
  const requestVerification = createRequestVerification(database, createSendSecurityCode(services));
  const confirmVerification = createConfirmVerification(database, createVerifySecurityCode(services));
  const { start: startImport } = createWorkflowCalls(services, importWorkflow);
  const beginImport = createBeginImport({ database, startImport, now });
  const router = Router();

  router.get('/api/v1/contacts', async (request, response) => {
    const { query } = inputOf(request, 'listContacts');
    const filters = readContactFilters(query);
    response.json(await listContacts(database, request.principal, filters, readCursor(request)));
  });

  router.get('/api/v1/contacts/count', async (request, response) => {
    const { query } = inputOf(request, 'countContacts');
    response.json(await countContacts(database, request.principal, readContactFilters(query)));
  });

  router.post('/api/v1/contacts', async (request, response) => {
    const { body } = inputOf(request, 'createContact');
    response.status(201).json(await createContact(database, request.principal, body));
  });

  router.post('/api/v1/contacts/import', async (request, response) => {
    const { importId, isDone } = await beginImport(request.principal, fileOf(request));
    const record = await getImport(database, request.principal, importId);
    response.status(isDone ? 200 : 202).json(record);
  });

  router.get('/api/v1/contacts/imports/:importId', async (request, response) => {
    response.json(await getImport(database, request.principal, request.params.importId));
  });

  router.get('/api/v1/contacts/imports/:importId/rejects', async (request, response) => {
    const { principal, params } = request;
    const lines = await exportRejects(database, principal, params.importId);
    await sendCsv(response, `rejects-${params.importId}.csv`, lines);
  });

  router.get('/api/v1/contacts/export', async (request, response) => {
    const { query } = inputOf(request, 'exportContacts');
    const lines = await exportContacts(database, request.principal, readContactFilters(query));
    await sendCsv(response, `contacts-${new Date().toISOString().slice(0, 10)}.csv`, lines);
  });

  router.post('/api/v1/contacts/:contactId/verification/request', async (request, response) => {
    response.status(202).json(await requestVerification(request.principal, request.params.contactId));
  });

  router.post('/api/v1/contacts/:contactId/verification/confirm', async (request, response) => {
    const { code } = inputOf(request, 'confirmContactVerification').body;
    response.json(await confirmVerification(request.principal, request.params.contactId, code));
  });

  router.patch('/api/v1/contacts/:contactId', async (request, response) => {
    const { principal, params } = request;
    const { body } = inputOf(request, 'updateContact');
    response.json(await changeContact(database, principal, params.contactId, body));
  });

  router.delete('/api/v1/contacts/:contactId', async (request, response) => {
    await deleteContact(database, request.principal, request.params.contactId);
    response.status(204).end();
  });

  return router;
}

/** A multipart body contains a file. The other encodings, and a plain multipart field, contain the text of the file. */
function fileOf(request: Request): CsvFile {
  const { upload } = request;
  return upload
    ? { handle: upload.take(), sizeBytes: upload.sizeBytes }
    : { text: inputOf(request, 'importContacts').body.file };
}
