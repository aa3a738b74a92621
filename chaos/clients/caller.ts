import { setTimeout as sleep } from 'node:timers/promises';
import type { Evidence } from '../evidence.ts';

/** What the clients write down. */
export type Ledger = Pick<
  Evidence,
  'sends' | 'codes' | 'schedules' | 'batchIds' | 'callbacks' | 'redrivenIds' | 'unexpectedAnswers' | 'looks'
>;

export function emptyLedger(): Ledger {
  return {
    ...{ sends: [], codes: [], schedules: [], batchIds: [], callbacks: [], redrivenIds: [] },
    ...{ unexpectedAnswers: [], looks: { count: 0, violations: [] } },
  };
}

export interface Request {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  path: string;
  body?: object;
  headers?: Record<string, string>;
}

/** A response; status null if there was none. */
export interface Answer {
  status: number | null;
  // openapi.yaml, not a type, says what the answers of the endpoints are.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

/** Calls the API as a program of an organization does. */
export interface Caller {
  /** Makes one request, to each API process in turn. Never rejects. */
  call: (request: Request) => Promise<Answer>;
  /** Repeats a request until it is answered, or the run has been given up. */
  callUntilAnswered: (request: Request) => Promise<Answer>;
}

const answerTimeoutMs = 10_000;
const pauseMs = 300;

/**
 * @param options.ledger in which answers that no fault explains are written down
 * @param options.isGivenUp ends the repetitions
 */
export function createCaller(options: {
  apiUrls: string[];
  apiKey: string;
  ledger: Ledger;
  isGivenUp: () => boolean;
}): Caller {
  const { apiUrls, apiKey, ledger, isGivenUp } = options;
  let next = 0;
  const call = async ({ method, path, body, headers }: Request): Promise<Answer> => {
    next += 1;
    const baseUrl = apiUrls[next % apiUrls.length]!;
    try {
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(answerTimeoutMs),
      });
      const text = await response.text();
      const answer: Answer = { status: response.status, body: text === '' ? null : JSON.parse(text) };
      if (!isExplained(answer))
        ledger.unexpectedAnswers.push(`${method} ${path}: ${response.status} ${text}`);
      return answer;
    } catch {
      return { status: null, body: null };
    }
  };
  return {
    call,
    callUntilAnswered: async (request) => {
      for (;;) {
        const answer = await call(request);
        if (!isRepeatable(answer) || isGivenUp()) return answer;
        await sleep(pauseMs);
      }
    },
  };
}

/** Whether the same request may be answered differently later. */
function isRepeatable({ status, body }: Answer): boolean {
  return status === null || status === 503 || (status === 409 && body?.code === 'idempotency_in_progress');
}

/**
 * The clients make only valid requests: whatever is neither a success nor explained by a fault is a finding. A 409 is
 * an answer to those who repeat a redrive.
 */
function isExplained({ status }: Answer): boolean {
  return status !== null && (status < 400 || status === 409 || status === 503);
}
