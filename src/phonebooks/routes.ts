import { Router } from 'express';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import { addMembers, replaceMembers } from './change-members.ts';
import { changePhonebook, deletePhonebook } from './change-phonebook.ts';
import { createPhonebook } from './create-phonebook.ts';
import { listMembers } from './list-members.ts';
import { listPhonebooks } from './list-phonebooks.ts';
import { removeMember } from './remove-member.ts';

export function phonebookRoutes({ database }: { database: Database }): Router {
  const router = Router();

  router.get('/api/v1/contact-lists', async (request, response) => {
    response.json(await listPhonebooks(database, request.principal, readCursor(request)));
  });

  router.post('/api/v1/contact-lists', async (request, response) => {
    const { body } = inputOf(request, 'createPhonebook');
    response.status(201).json(await createPhonebook(database, request.principal, body));
  });

  router.patch('/api/v1/contact-lists/:listId', async (request, response) => {
    const { principal, params } = request;
    const { body } = inputOf(request, 'updatePhonebook');
    response.json(await changePhonebook(database, principal, params.listId, body));
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
    const { principal, params } = request;
    const { contactIds } = inputOf(request, 'replacePhonebookMembers').body;
    response.json(await replaceMembers(database, principal, params.listId, contactIds));
  });

  router.post('/api/v1/contact-lists/:listId/members', async (request, response) => {
    const { principal, params } = request;
    const { contactIds } = inputOf(request, 'addPhonebookMembers').body;
    response.json(await addMembers(database, principal, params.listId, contactIds));
  });

  router.delete('/api/v1/contact-lists/:listId/members/:contactId', async (request, response) => {
    const { principal, params } = request;
    await removeMember(database, principal, params.listId, params.contactId);
    response.status(204).end();
  });

  return router;
}
