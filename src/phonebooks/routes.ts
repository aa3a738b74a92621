import { Router } from 'express';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { changePhonebook, deletePhonebook } from './change-phonebook.ts';
import { createPhonebook, type PhonebookInput } from './create-phonebook.ts';
import { listMembers } from './list-members.ts';
import { listPhonebooks } from './list-phonebooks.ts';
import { replaceMembers } from './replace-members.ts';

export function phonebookRoutes({ database }: { database: Database }): Router {
  const router = Router();

  router.get('/api/v1/contact-lists', async (request, response) => {
    response.json(await listPhonebooks(database, request.principal, readCursor(request)));
  });

  router.post('/api/v1/contact-lists', async (request, response) => {
    const input = request.body as PhonebookInput;
    response.status(201).json(await createPhonebook(database, request.principal, input));
  });

  router.patch('/api/v1/contact-lists/:listId', async (request, response) => {
    const { principal, params, body } = request;
    response.json(await changePhonebook(database, principal, params.listId, body as PhonebookInput));
  });

  router.delete('/api/v1/contact-lists/:listId', async (request, response) => {
    await deletePhonebook(database, request.principal, request.params.listId);
    response.status(204).end();
  });

  router.get('/api/v1/contact-lists/:listId/members', async (request, response) => {
    const { principal, params } = request;
    response.json(await listMembers(database, principal, params.listId, readCursor(request)));
  });

  router.put('/api/v1/contact-lists/:listId/members', async (request, response) => {
    const { contactIds } = request.body as { contactIds: string[] };
    response.json(await replaceMembers(database, request.principal, request.params.listId, contactIds));
  });

  return router;
}
