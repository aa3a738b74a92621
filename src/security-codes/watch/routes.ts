import { Router } from 'express';
import { administratorOf } from '../../auth/administrator.ts';
import { readCursor } from '../../http/cursor.ts';
import { inputOf } from '../../http/contract/input-of.ts';
import type { Services } from '../../services.ts';
import { changeWatch } from './change-watch.ts';
import { getWatch } from './get-watch.ts';
import { listAlarms } from './list-alarms.ts';
import { releaseAlarm } from './release-alarm.ts';

export function securityCodeWatchRoutes({ database, now }: Services): Router {
  const router = Router();

  router.get('/api/v1/admin/security-codes/watch', async (_request, response) => {
    response.json(await getWatch(database));
  });

  router.put('/api/v1/admin/security-codes/watch', async (request, response) => {
    const { body } = inputOf(request, 'changeSecurityCodeWatch');
    response.json(await changeWatch(database, administratorOf(request), body, now()));
  });

  router.get('/api/v1/admin/security-codes/alarms', async (request, response) => {
    const { query } = inputOf(request, 'listSecurityCodeAlarms');
    response.json(await listAlarms(database, query, readCursor(request), now()));
  });

  router.post('/api/v1/admin/security-codes/alarms/:alarmId/release', async (request, response) => {
    response.json(await releaseAlarm(database, administratorOf(request), request.params.alarmId, now()));
  });

  return router;
}
