export { deliverWebhooks } from './deliver-webhooks.ts';
export { importContacts } from './import-contacts.ts';
export { sendMessages } from './send-messages.ts';
