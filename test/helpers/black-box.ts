import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Pool } from 'pg';
import {
  startService,
  type ClusterOptions,
  type PartName,
  type RunningService,
} from '../../bench/service.ts';
import type { MessageEventKind } from '../../src/messages/timeline/message-event.entity.ts';
import type { MessageRecord } from '../../src/messages/message-record.ts';
import { until } from './until.ts';

/** The response to a POST; status null if there was none. */
export type PostAnswer =
  | { status: 202; message: MessageRecord; durationMs: number }
  | { status: number; code: string; durationMs: number }
  | { status: null; durationMs: number };

export interface TimelineEvent {
  messageId: string;
  kind: MessageEventKind;
  status: string | null;
  details: Record<string, unknown>;
}

/** The whole service, seen only from outside. */
export interface BlackBox extends RunningService {
  /** POST /api/v1/messages, with the given key or the test key. Never rejects. */
  post: (message: Record<string, unknown>, apiKey?: string) => Promise<PostAnswer>;
  /** GET /api/v1/messages/{id}. */
  get: (id: string, apiKey?: string) => Promise<MessageRecord>;
  /** Every event of these messages, in order within each message. */
  timeline: (ids: string[]) => Promise<TimelineEvent[]>;
  /** How many of these messages are in each status. */
  countStatuses: (ids: string[]) => Promise<Record<string, number>>;
  /** Queries the stored rows. */
  query: <Row extends object>(statement: string, parameters?: unknown[]) => Promise<Row[]>;
  /** How often the simulator accepted or refused a submission of this message. */
  countSubmissions: (id: string) => Promise<number>;
  /** Waits until the process of a part runs, sends it a signal, and returns its id. */
  signal: (part: PartName, signal: NodeJS.Signals) => Promise<number>;
  /** Resolves when a different process runs this part. */
  replaced: (part: PartName, processId: number) => Promise<void>;
}

/** Starts the service with its defaults, overridden by `environment`; with `cluster`, in several processes. */
export async function startBlackBox(
  environment: Record<string, string> = {},
  cluster?: ClusterOptions,
): Promise<BlackBox> {
  const service = await startService(environment, cluster);
  const { demo, dataDir } = service;
  const pool = new Pool({ connectionString: demo.databaseUrl, max: 2, connectionTimeoutMillis: 5000 });
  pool.on('error', () => undefined); // The tests kill the database too.

  const query = async <Row extends object>(statement: string, parameters: unknown[] = []): Promise<Row[]> =>
    (await pool.query<Row>(statement, parameters)).rows;

  return {
    ...service,
    query,
    post: (message, apiKey = demo.testApiKey) => postMessage(demo.baseUrl, apiKey, message),
    get: async (id, apiKey = demo.testApiKey) => {
      const response = await fetch(`${demo.baseUrl}/api/v1/messages/${id}`, {
        headers: { 'X-API-Key': apiKey },
      });
      if (response.status !== 200) throw new Error(`GET of a message responded ${response.status}.`);
      return (await response.json()) as MessageRecord;
    },
    timeline: (ids) =>
      query<TimelineEvent>(
        `select message_id as "messageId", kind, status, details from message_events
         where message_id = any($1::uuid[]) order by message_id, id`,
        [ids],
      ),
    countStatuses: async (ids) => {
      const rows = await query<{ status: string; count: number }>(
        `select status, count(*)::int as count from messages where id = any($1::uuid[]) group by status`,
        [ids],
      );
      return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
    },
    countSubmissions: async (id) => {
      const { simulator } = JSON.parse(readFileSync(join(dataDir, 'ports.json'), 'utf8')) as {
        simulator: number;
      };
      const response = await fetch(`http://127.0.0.1:${simulator}/simulator/submissions?messageId=${id}`);
      return ((await response.json()) as { count: number }).count;
    },
    signal: async (part, signal) => {
      const processId = await until(`${part} to run`, () => service.processId(part), 30_000);
      process.kill(processId, signal);
      return processId;
    },
    replaced: async (part, processId) => {
      await until(
        `${part} to be started again`,
        () => ![undefined, processId].includes(service.processId(part)),
        // The supervisor's longest pause plus the start itself.
        60_000,
      );
    },
    stop: async () => {
      await pool.end();
      await service.stop();
    },
  };
}

async function postMessage(
  baseUrl: string,
  apiKey: string,
  message: Record<string, unknown>,
): Promise<PostAnswer> {
  const startedAt = performance.now();
  const durationMs = (): number => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(`${baseUrl}/api/v1/messages`, {
      method: 'POST',
      headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(15_000),
    });
    const body: unknown = await response.json();
    return response.status === 202
      ? { status: 202, message: body as MessageRecord, durationMs: durationMs() }
      : { status: response.status, code: (body as { code: string }).code, durationMs: durationMs() };
  } catch {
    return { status: null, durationMs: durationMs() };
  }
}

/** The ids of the messages that got a 202: the service has promised to send them. */
export function promisedIds(answers: PostAnswer[]): string[] {
  return answers.flatMap((answer) => ('message' in answer ? [answer.message.id] : []));
}

/** Fails with the number of messages in each status, unless all of them are delivered in time. */
export async function expectDelivered(service: BlackBox, ids: string[], timeoutMs = 60_000): Promise<void> {
  const wanted = { delivered: ids.length };
  await until(
    'all messages to be delivered',
    async () =>
      ((await service.countStatuses(ids).catch(() => ({}))) as { delivered?: number }).delivered ===
      ids.length,
    timeoutMs,
  ).catch(() => undefined);
  expect(await service.countStatuses(ids)).toEqual(wanted);
}
