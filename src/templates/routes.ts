import { Router } from 'express';
import { findMembership } from '../auth/access/authorize.ts';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import { createTemplate } from './create-template.ts';
import { deleteTemplate } from './delete-template.ts';
import { listTemplates } from './list-templates.ts';
import { updateTemplate } from './update-template.ts';

export function templateRoutes({ database }: { database: Database }): Router {
  const router = Router();

  router.get('/api/v1/templates', async (request, response) => {
    const { query } = inputOf(request, 'listTemplates');
    response.json(await listTemplates(database, request.principal, query.search, readCursor(request)));
  });

  router.post('/api/v1/templates', async (request, response) => {
    const { body } = inputOf(request, 'createTemplate');
    response.status(201).json(await createTemplate(database, request.principal, body));
  });

  router.patch('/api/v1/templates/:templateId', async (request, response) => {
    const { principal, session, params } = request;
    const role = session ? findMembership(session, principal.organizationId).role : null;
    const { body } = inputOf(request, 'updateTemplate');
    response.json(await updateTemplate(database, principal, role, params.templateId, body));
  });

  router.delete('/api/v1/templates/:templateId', async (request, response) => {
    await deleteTemplate(database, request.principal, request.params.templateId);
    response.status(204).end();
  });

  return router;
}
