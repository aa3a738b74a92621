export { deliverWebhooks } from './deliver-webhooks.ts';
export { redriveByFilter } from './redrive-by-filter.ts';
export { runBulkBatch } from './run-bulk-batch.ts';
export { runSchedule } from './run-schedule.ts';
export { handleInbound } from './handle-inbound.ts';
export { importContacts } from './import-contacts.ts';
export { sendMessages } from './send-messages.ts';
export { verifySecurityCodes } from './verify-security-codes.ts';
