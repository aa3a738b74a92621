import { Router } from 'express';
import { createWorkflowCalls } from '../dispatches/row-workflows.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import type { Services } from '../services.ts';
import { changeScheduleStatus } from './change-schedule-status.ts';
import { deleteSchedule } from './delete-schedule.ts';
import { listSchedules } from './list-schedules.ts';
import { scheduleMessage } from './schedule-message.ts';
import { scheduleWorkflow } from './schedule-workflow.ts';

export function scheduleRoutes(services: Services): Router {
  const { database, now } = services;
  const dependencies = { database, now, workflows: createWorkflowCalls(services, scheduleWorkflow) };
  const router = Router();

  router.post('/api/v1/messages/schedule', async (request, response) => {
    const { body } = inputOf(request, 'scheduleMessage');
    response.status(201).json(await scheduleMessage(dependencies, request.principal, body));
  });

  router.get('/api/v1/message-schedules', async (request, response) => {
    response.json(await listSchedules(database, request.principal, readCursor(request)));
  });

  router.patch('/api/v1/message-schedules/:scheduleId/status', async (request, response) => {
    const { action } = inputOf(request, 'changeMessageScheduleStatus').body;
    const { scheduleId } = request.params;
    response.json(await changeScheduleStatus(dependencies, request.principal, scheduleId, action));
  });

  router.delete('/api/v1/message-schedules/:scheduleId', async (request, response) => {
    await deleteSchedule(dependencies, request.principal, request.params.scheduleId);
    response.status(204).end();
  });

  return router;
}
