import { createKey, listKeys, revokeKey } from './commands/api-keys.ts';
import { cancelBulk, listBulk, pauseBulk, resumeBulk, watchBulk } from './commands/change-bulk.ts';
import { createBulk } from './commands/create-bulk.ts';
import { downloadRejects, exportContacts } from './commands/download-contacts.ts';
import { estimateMessage } from './commands/estimate-message.ts';
import { getMessage } from './commands/get-message.ts';
import { importContacts } from './commands/import-contacts.ts';
import { listMessages } from './commands/list-messages.ts';
import { listenWebhooks } from './commands/listen-webhooks.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { definePrintCompletion } from './commands/print-completion.ts';
import { redriveMessages, redriveWebhooks, watchRedrive } from './commands/redrive-by-filter.ts';
import { redriveInbound } from './commands/redrive-inbound.ts';
import { redriveMessage } from './commands/redrive-message.ts';
import { redriveWebhook } from './commands/redrive-webhooks.ts';
import { runDoctor } from './commands/run-doctor.ts';
import { sendCode, verifyCode } from './commands/security-codes.ts';
import { sendMessage } from './commands/send-message.ts';
import { tailMessages } from './commands/tail-messages.ts';
import { whoami } from './commands/whoami.ts';
import type { Command } from './command.ts';

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  ...[login, logout, whoami],
  ...[sendMessage, estimateMessage, tailMessages, listMessages, getMessage],
  ...[sendCode, verifyCode],
  ...[importContacts, exportContacts, downloadRejects],
  ...[createBulk, listBulk, watchBulk, pauseBulk, resumeBulk, cancelBulk],
  ...[listenWebhooks],
  ...[redriveWebhook, redriveMessage, redriveInbound, redriveMessages, redriveWebhooks, watchRedrive],
  ...[listKeys, createKey, revokeKey],
  runDoctor,
  definePrintCompletion(() => commands),
];
