import { Router } from 'express';
import { administratorOf } from '../auth/administrator.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import type { Services } from '../services.ts';
import { createContentRule } from './create-content-rule.ts';
import { deleteContentRule } from './delete-content-rule.ts';
import { listContentRules } from './list-content-rules.ts';
import { updateContentRule } from './update-content-rule.ts';

export function contentRuleRoutes({ database, now }: Services): Router {
  const router = Router();

  router.get('/api/v1/admin/content-rules', async (request, response) => {
    const { query } = inputOf(request, 'listContentRules');
    response.json(await listContentRules(database, query, readCursor(request)));
  });

  router.post('/api/v1/admin/content-rules', async (request, response) => {
    const { body } = inputOf(request, 'createContentRule');
    response.status(201).json(await createContentRule(database, administratorOf(request), body, now()));
  });

  router.put('/api/v1/admin/content-rules/:ruleId', async (request, response) => {
    const { body } = inputOf(request, 'updateContentRule');
    const { ruleId } = request.params;
    response.json(await updateContentRule(database, administratorOf(request), ruleId, body, now()));
  });

  router.delete('/api/v1/admin/content-rules/:ruleId', async (request, response) => {
    await deleteContentRule(database, administratorOf(request), request.params.ruleId);
    response.status(204).end();
  });

  return router;
}
