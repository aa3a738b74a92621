import { Router } from 'express';
import type { Database } from '../database.ts';
import type { WorkflowCalls } from '../dispatches/row-workflows.ts';
import { readCursor } from '../http/cursor.ts';
import { changeScheduleStatus } from './change-schedule-status.ts';
import { deleteSchedule } from './delete-schedule.ts';
import { listSchedules } from './list-schedules.ts';
import { scheduleMessage, type ScheduleInput } from './schedule-message.ts';
import type { ScheduleAction } from './schedule-status.ts';

export function scheduleRoutes(dependencies: {
  database: Database;
  workflows: WorkflowCalls;
  now: () => Date;
}): Router {
  const router = Router();

  router.post('/api/v1/messages/schedule', async (request, response) => {
    response
      .status(201)
      .json(await scheduleMessage(dependencies, request.principal, request.body as ScheduleInput));
  });

  router.get('/api/v1/message-schedules', async (request, response) => {
    response.json(await listSchedules(dependencies.database, request.principal, readCursor(request)));
  });

  router.patch('/api/v1/message-schedules/:scheduleId/status', async (request, response) => {
    const { action } = request.body as { action: ScheduleAction };
    const { scheduleId } = request.params;
    response.json(await changeScheduleStatus(dependencies, request.principal, scheduleId, action));
  });

  router.delete('/api/v1/message-schedules/:scheduleId', async (request, response) => {
    await deleteSchedule(dependencies, request.principal, request.params.scheduleId);
    response.status(204).end();
  });

  return router;
}
