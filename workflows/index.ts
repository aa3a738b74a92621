export { deliverWebhooks } from './deliver-webhooks.ts';
export { sendMessages } from './send-messages.ts';
export { verifySecurityCodes } from './verify-security-codes.ts';
