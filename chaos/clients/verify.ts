import { setTimeout as sleep } from 'node:timers/promises';
import type { CodeRecord, SendRecord } from '../evidence.ts';
import type { Random } from '../random.ts';
import type { Caller, Ledger } from './caller.ts';
import { nextNumber, nextToken } from './send.ts';

const lookEveryMs = 200;

/**
 * Sends a security code with an Idempotency-Key, waits until the phone has it, guesses wrong, then right, and then right
 * once more. A guess is made once: a repetition would be another guess.
 *
 * @param codes the texts that the phones have received, by the id of the message
 */
export async function sendAndVerifyCode(
  client: { caller: Caller; ledger: Ledger; random: Random; isGivenUp: () => boolean },
  codes: Map<string, string>,
): Promise<void> {
  const { caller, ledger, random } = client;
  const token = nextToken();
  const record: SendRecord = {
    ...{ token, kind: 'code', keyed: true, hasWebhook: false, acceptedIds: [] },
    ends: { status: 'delivered' },
  };
  ledger.sends.push(record);
  const answer = await caller.callUntilAnswered({
    ...{ method: 'POST', path: '/api/v1/security-codes/send', headers: { 'idempotency-key': token } },
    body: { to: nextNumber(), metadata: { token }, template: 'Planted code: {{code}}' },
  });
  if (answer.status !== 202) return;
  const { messageId, verificationId } = answer.body as { messageId: string; verificationId: string };
  record.acceptedIds.push(messageId);
  const code = await receiveCode(messageId, codes, client.isGivenUp);
  if (code === undefined) return;
  const verification: CodeRecord = { verificationId, guesses: [] };
  ledger.codes.push(verification);
  const wrong = code === '000000' ? '000001' : '000000';
  for (const guess of random.next() < 0.5 ? [wrong, code, code] : [code, code]) {
    const { status, body } = await caller.call({
      ...{ method: 'POST', path: '/api/v1/security-codes/verify' },
      body: { verificationId, code: guess },
    });
    const isAnswered = status === 200;
    verification.guesses.push({
      isRight: guess === code,
      valid: isAnswered ? body.valid : null,
      status: isAnswered ? body.status : null,
    });
  }
}

async function receiveCode(
  messageId: string,
  codes: Map<string, string>,
  isGivenUp: () => boolean,
): Promise<string | undefined> {
  while (!isGivenUp()) {
    const text = codes.get(messageId);
    if (text !== undefined) return /(\d+)$/.exec(text)?.[1];
    await sleep(lookEveryMs);
  }
  return undefined;
}
