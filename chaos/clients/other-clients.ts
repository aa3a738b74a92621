import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Caller, Ledger } from './caller.ts';
import { nextNumber, nextToken } from './send.ts';

interface Client {
  caller: Caller;
  ledger: Ledger;
  random: Random;
}

/** Schedules a message that is due within seconds: once, or, where there is time, every minute, twice. */
export async function scheduleMessage(
  { caller, ledger, random }: Client,
  isTimeForTwo: boolean,
): Promise<void> {
  const startsAtMs = Date.now() + random.between(2000, 8000);
  const occurrences = random.next() < 0.2 && isTimeForTwo ? 2 : 1;
  const answer = await caller.call({
    ...{ method: 'POST', path: '/api/v1/messages/schedule' },
    body: {
      ...{ to: nextNumber(), text: `Planted text of ${nextToken()}` },
      startsAt: new Date(startsAtMs).toISOString(),
      ...(occurrences === 1
        ? { scheduleType: 'once' }
        : {
            scheduleType: 'recurring',
            recurrence: { unit: 'minute', interval: 1 },
            endsAt: new Date(startsAtMs + (occurrences - 1) * 60_000).toISOString(),
          }),
    },
  });
  if (answer.status === 201) ledger.schedules.push({ id: answer.body.id, occurrences });
}

/** Sends a text to the contacts of the phonebook. */
export async function createBatch(
  { caller, ledger }: Client,
  list: { campaignId: string; contactListId: string },
): Promise<void> {
  const answer = await caller.call({
    ...{ method: 'POST', path: '/api/v1/bulk-sms' },
    body: { ...list, text: `Planted {{firstName}} of ${nextToken()}` },
  });
  if (answer.status === 202) ledger.batchIds.push(answer.body.id);
}

/** The short code that belongs to the organization, and the keyword that is answered. */
export const shortCode = '8181';
export const keyword = 'PLANTED';

/** Calls back as the gateway does for a message from a phone: until it is answered, and at times twice at once. */
export async function receiveFromPhone(
  { caller, ledger, random }: Client,
  gatewayToken: string,
): Promise<void> {
  const providerMessageId = nextToken();
  const isAnswered = random.next() < 0.7;
  const query = new URLSearchParams({
    ...{ token: gatewayToken, from: nextNumber(), to: shortCode, providerMessageId },
    text: isAnswered ? `${keyword} ${providerMessageId}` : `Nothing for ${providerMessageId}`,
  });
  const request = { method: 'GET' as const, path: `/api/v1/gateway/mo?${query.toString()}` };
  const times = random.next() < 0.3 ? 2 : 1;
  const answers = await Promise.all(Array.from({ length: times }, () => caller.callUntilAnswered(request)));
  if (answers.some(({ status }) => status === 200)) ledger.callbacks.push({ providerMessageId, isAnswered });
}

const redriveEveryMs = 2000;

/** Redrives each webhook that is dead, until the run is given up. */
export async function keepRedriving({ caller, ledger }: Client, isGivenUp: () => boolean): Promise<void> {
  while (!isGivenUp()) {
    const path = '/api/v1/webhook-deliveries';
    const { status, body } = await caller.call({ method: 'GET', path: `${path}?status=dead&limit=100` });
    for (const { id } of status === 200 ? (body.data as { id: string }[]) : []) {
      const answer = await caller.call({ method: 'POST', path: `${path}/${id}/redrive`, body: {} });
      if (answer.status === 200) ledger.redrivenIds.push(id);
    }
    await sleep(redriveEveryMs);
  }
}

const lookEveryMs = 1000;

/** Looks at the ledger of each batch and at analytics again and again, and checks that they balance at each look. */
export async function keepLooking(
  { caller, ledger, random }: Client,
  isGivenUp: () => boolean,
): Promise<void> {
  while (!isGivenUp()) {
    const batchId = ledger.batchIds.length > 0 ? random.pick(ledger.batchIds) : undefined;
    if (batchId !== undefined) {
      const { status, body } = await caller.call({ method: 'GET', path: `/api/v1/bulk-sms/${batchId}` });
      if (status === 200) noteLook(ledger, `the ledger of batch ${batchId}`, body.ledger, 'total');
    }
    const { status, body } = await caller.call({ method: 'GET', path: '/api/v1/analytics' });
    if (status === 200) noteLook(ledger, 'analytics', statusesOf(body.totals), 'messages');
    await sleep(lookEveryMs);
  }
}

const statuses = ['queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled'];

function statusesOf(totals: Record<string, number>): Record<string, number> {
  return Object.fromEntries(['messages', ...statuses].map((name) => [name, totals[name]!]));
}

/** @param sumName the counter that must be the sum of all others */
function noteLook(ledger: Ledger, what: string, counts: Record<string, number>, sumName: string): void {
  ledger.looks.count += 1;
  const sum = statuses.reduce((all, status) => all + counts[status]!, 0);
  const isBalanced = sum === counts[sumName] && Object.values(counts).every((count) => count >= 0);
  if (!isBalanced) ledger.looks.violations.push(`${what}: ${JSON.stringify(counts)}`);
}
