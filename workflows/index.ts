export { deliverWebhooks } from './deliver-webhooks.ts';
export { runSchedule } from './run-schedule.ts';
export { sendMessages } from './send-messages.ts';
