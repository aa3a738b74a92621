import { magicRecipients } from '../../src/gateway/magic-recipients.ts';
import type { SendRecord } from '../evidence.ts';
import type { Random } from '../random.ts';
import { gonePath, webhookSecret } from '../world/receivers.ts';
import type { Caller, Ledger } from './caller.ts';

/** Recipients whose messages end without a wait of hours, or of the seconds that a late report takes. */
const recipients = magicRecipients.filter(({ name }) => !['no_report', 'late_report'].includes(name));
const delivered = { status: 'delivered' };

let sent = 0;

/** Returns a number that no other message of the run has. */
export function nextNumber(): string {
  sent += 1;
  return `+2519118${String(sent).padStart(5, '0')}`;
}

/** Returns a token that finds again whatever is stored for one send. */
export function nextToken(): string {
  sent += 1;
  return `token-${sent}`;
}

/**
 * Sends a message: half of them with a webhook, and half of them with an Idempotency-Key. With a key, the client repeats
 * the request until it is answered; without one, it makes one request, because a second one could send a second message.
 */
export async function sendMessage(
  client: { caller: Caller; ledger: Ledger; random: Random; withMagicRecipients: boolean },
  receiverUrl: string,
): Promise<void> {
  const { caller, ledger, random, withMagicRecipients } = client;
  const token = nextToken();
  const magic = withMagicRecipients && random.next() < 0.3 ? random.pick(recipients) : undefined;
  const [keyed, hasWebhook] = [random.next() < 0.5, random.next() < 0.5];
  const path = random.next() < 0.05 ? gonePath : '/webhooks';
  const record: SendRecord = {
    ...{ token, kind: 'message', keyed, hasWebhook, acceptedIds: [] },
    ends: magic?.ends ?? delivered,
  };
  ledger.sends.push(record);
  const body = {
    to: magic?.number ?? nextNumber(),
    text: `Planted text of ${token}`,
    metadata: { token },
    ...(hasWebhook && { webhook: { url: `${receiverUrl}${path}`, secret: webhookSecret } }),
  };
  const request = {
    ...{ method: 'POST' as const, path: '/api/v1/messages', body },
    ...(keyed && { headers: { 'idempotency-key': token } }),
  };
  const answer = await (keyed ? caller.callUntilAnswered(request) : caller.call(request));
  if (answer.status !== 202) return;
  record.acceptedIds.push(answer.body.id);
  if (!keyed || random.next() > 0.2) return;
  // Repeated although it was answered, and perhaps at the other process.
  const again = await caller.call(request);
  if (again.status === 202) record.acceptedIds.push(again.body.id);
}
