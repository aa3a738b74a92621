import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../helpers/until.ts';
import type { Running } from './processes.ts';

/** The keys of the demo organization that the upgrade works with. */
export interface Demo {
  organizationId: string;
  testApiKey: string;
  gatewayToken: string;
}

/** Recipients that the simulator of every release knows (src/gateway/magic-recipients.ts). */
const noReport = '+251900000006';
const lateReport = '+251900000007';

export const bulkRecipients = 600;
/** So slow that the batch outlives the old worker: 600 messages take a minute. */
export const bulkRatePerSecond = 10;
const scheduleAfterSeconds = 50;
/** The second attempt of the webhook, in seconds: the receiver asks for it by Retry-After. */
const webhookRetrySeconds = 45;
const finishMs = 240_000;

/** Work that one release began and another one finishes. */
export interface OpenWork {
  /** What is unfinished, by name. */
  unfinished: () => Promise<string[]>;
  /** What only the outside does: the report that the simulator never sends. */
  report: (baseUrl: string) => Promise<void>;
  finish: (baseUrl: string) => Promise<void>;
  /** How many messages were made. */
  messages: number;
}

type Api = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;

/** Calls the API of one process. Throws on every status that is no success. */
export function apiOf(baseUrl: string, { testApiKey }: Demo): Api {
  return async (method, path, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { 'X-API-Key': testApiKey, ...(body && !isForm && { 'Content-Type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} responded ${response.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
}

/** A receiver of webhooks that asks for one repetition of each. */
export async function startReceiver(): Promise<Running & { url: string; attempts: () => number }> {
  const seen = new Map<string, number>();
  let attempts = 0;
  const server = createServer((request, response) => {
    const id = String(request.headers['x-service-delivery']);
    attempts += 1;
    seen.set(id, (seen.get(id) ?? 0) + 1);
    request.resume();
    if (seen.get(id) === 1) response.writeHead(503, { 'Retry-After': String(webhookRetrySeconds) });
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    attempts: () => attempts,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * Makes a message that waits for its report, one whose report comes late, a schedule, a bulk batch, and a webhook that is
 * retried, and waits until each is under way.
 */
export async function makeOpenWork(
  baseUrl: string,
  demo: Demo,
  receiver: { url: string; attempts: () => number },
): Promise<OpenWork> {
  const api = apiOf(baseUrl, demo);
  const send = async (to: string, more: object = {}) =>
    String((await api('POST', '/api/v1/messages', { to, text: 'Before the upgrade', ...more }))['id']);
  const batchId = await startBatch(api, demo);
  const scheduleId = await startSchedule(api, demo);
  const webhookMessage = await send('+251911000001', {
    webhook: { url: receiver.url, secret: 'a-secret-of-16-chars-or-more' },
  });
  const waiting = await send(noReport);
  const late = await send(lateReport);
  await until('the webhook to be refused once', () => receiver.attempts() > 0, 30_000);
  await until('the messages to be accepted', async () => {
    const statuses = await Promise.all([waiting, late].map((id) => api('GET', `/api/v1/messages/${id}`)));
    return statuses.every(({ status }) => status === 'accepted' || status === 'sent');
  });
  await until(
    'the batch to be under way',
    async () => (await readLedger(api, batchId)).queued < bulkRecipients,
    30_000,
  );

  const unfinishedAt = async (url: string): Promise<string[]> => {
    const at = apiOf(url, demo);
    const statusOf = async (path: string): Promise<unknown> => (await at('GET', path))['status'];
    const list = async (path: string) => (await at('GET', path))['data'] as Record<string, unknown>[];
    const schedules = await list('/api/v1/message-schedules?limit=100');
    const deliveries = await list('/api/v1/webhook-deliveries?limit=100');
    const webhooks = deliveries.filter(({ messageId }) => messageId === webhookMessage);
    const checks: [string, boolean][] = [
      ['the message without a report', (await statusOf(`/api/v1/messages/${waiting}`)) === 'delivered'],
      ['the message with a late report', (await statusOf(`/api/v1/messages/${late}`)) === 'delivered'],
      ['the schedule', schedules.find(({ id }) => id === scheduleId)?.['status'] === 'completed'],
      ['the bulk batch', (await readLedger(at, batchId)).delivered === bulkRecipients],
      ['the webhooks', webhooks.length === 3 && webhooks.every(({ status }) => status === 'delivered')],
    ];
    return checks.filter(([, isDone]) => !isDone).map(([name]) => name);
  };
  return {
    messages: bulkRecipients + 4,
    unfinished: () => unfinishedAt(baseUrl),
    report: async (url) => {
      const query = new URLSearchParams({ messageId: waiting, token: demo.gatewayToken, status: '1' });
      const response = await fetch(`${url}/api/v1/gateway/dlr?${query.toString()}`);
      if (!response.ok) throw new Error(`The report was refused with ${response.status}.`);
    },
    finish: async (url) => {
      let left: string[] = [];
      await until(
        'everything to be finished',
        async () => {
          left = await unfinishedAt(url);
          await new Promise((resolve) => setTimeout(resolve, 500));
          return left.length === 0;
        },
        finishMs,
      ).catch((error: unknown) => {
        throw new Error(`The new release has not finished: ${left.join(', ')}.`, { cause: error });
      });
    },
  };
}

async function startBatch(api: Api, { organizationId }: Demo): Promise<string> {
  const numbers = Array.from({ length: bulkRecipients }, (_, index) => `+2519${20_000_000 + index}`);
  const form = new FormData();
  form.append('organizationId', organizationId);
  form.append(
    'file',
    new Blob([`phoneNumber\n${numbers.join('\n')}\n`], { type: 'text/csv' }),
    'contacts.csv',
  );
  const { id: importId } = await api('POST', '/api/v1/contacts/import', form);
  await until(
    'the contacts to be imported',
    async () => (await api('GET', `/api/v1/contacts/imports/${String(importId)}`))['status'] === 'completed',
    30_000,
  );
  const name = 'Upgrade';
  const { id: campaignId } = await api('POST', '/api/v1/campaigns', { organizationId, name });
  const { id: contactListId } = await api('POST', '/api/v1/contact-lists', { organizationId, name });
  const contactIds: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await api(
      'GET',
      `/api/v1/contacts?limit=200${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    contactIds.push(...(page['data'] as { id: string }[]).map(({ id }) => id));
    cursor = (page['pagination'] as { nextCursor: string | null }).nextCursor;
  }
  if (contactIds.length !== bulkRecipients) throw new Error(`${contactIds.length} contacts were imported.`);
  await api('PUT', `/api/v1/contact-lists/${String(contactListId)}/members`, { organizationId, contactIds });
  const batch = await api('POST', '/api/v1/bulk-sms/', { campaignId, contactListId, text: 'Upgrade' });
  return String(batch['id']);
}

async function startSchedule(api: Api, { organizationId }: Demo): Promise<string> {
  const schedule = await api('POST', '/api/v1/messages/schedule', {
    organizationId,
    to: '+251911000002',
    text: 'After the upgrade',
    scheduleType: 'once',
    startsAt: new Date(Date.now() + scheduleAfterSeconds * 1000).toISOString(),
  });
  return String(schedule['id']);
}

async function readLedger(api: Api, batchId: string): Promise<{ queued: number; delivered: number }> {
  const batch = await api('GET', `/api/v1/bulk-sms/${batchId}`);
  return batch['ledger'] as { queued: number; delivered: number };
}
