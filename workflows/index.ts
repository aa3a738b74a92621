export { deliverWebhooks } from './deliver-webhooks.ts';
export { redriveByFilter } from './redrive-by-filter.ts';
export { sendMessages } from './send-messages.ts';
