import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { kannelAnswers } from './kannel-answers.ts';
import type { KannelAnswer } from './kannel-answers.ts';
import { LATE_REPORT_SECONDS, behaviourOf } from './magic-recipients.ts';
import type { SimulatedReport } from './magic-recipients.ts';
import { createReportSender } from './report-sender.ts';
import { findFault, readNumber, readParameters } from './simulated-sendsms.ts';
import type { Credentials, Parameters } from './simulated-sendsms.ts';

export type SimulatorOptions = {
  host: string;
  /** With 0, the system chooses the port. */
  port: number;
  /** BASE_URL of the API. A dlr-url that is not below it is refused, so the simulator never calls another host. */
  callbackBaseUrl: string;
  log: Pick<Logger, 'info' | 'warn'>;
  /** The credentials that sendsms requires. Without them, any username and password are accepted. */
  credentials?: Credentials;
  /** The time from the submission to the first report. */
  reportDelayMs?: number;
  lateReportDelayMs?: number;
  /** The delays before a callback without a 2xx response is repeated. After the last attempt it is lost. */
  retryDelaysMs?: readonly number[];
  /** The maximum number of concurrent callbacks. */
  callbackConnections?: number;
  /** The maximum number of messages with undelivered reports. Further submissions get the response of a busy Kannel. */
  pendingMessagesLimit?: number;
  /** The maximum number of message ids whose submissions are counted. The oldest one is dropped first. */
  countedMessagesLimit?: number;
  /** Called for each submission with valid parameters, accepted or not. */
  onSubmission?: (submission: {
    messageId: string | undefined;
    count: number;
    answer: string;
    text: string | null;
  }) => void;
  /** Other limits than `simulatorLimits`, for tests. */
  limits?: ServerOptions;
};

export type SimulatorStats = {
  /** All requests to sendsms, with any outcome. */
  submissions: number;
  taken: number;
  /** Accepted messages with undelivered reports. */
  pendingMessages: number;
  reportsDelivered: number;
  /** Reports that were lost after their last attempt. */
  reportsLost: number;
};

export type Simulator = {
  /** The sendsms URL, for GATEWAY_URL of a client. */
  url: string;
  port: number;
  stats(): SimulatorStats;
  /** Returns how often a message was submitted with valid parameters. */
  submissions(messageId: string): number;
  /** Accepts no more submissions, waits up to two seconds for reports that are due, then drops the rest. */
  stop(): Promise<void>;
};

const SENDSMS_PATH = '/cgi-bin/sendsms';
const STOP_GRACE_MS = 2_000;
const SMSC_ID = 'simulator';
/** Kannel's other escapes, which have no value in a report of the simulator. */
const OTHER_ESCAPES = 'aAbBcCDfIkmMnoOqQrRsStuvV';

type TakenMessage = {
  /** Path and query of the dlr-url, before its escapes are replaced. */
  reportPattern: string;
  reportMask: number;
  from: string;
  to: string;
  foreignId: string;
};

/**
 * Starts a gateway that accepts every message and sends none. It supports sendsms over HTTP like Kannel's smsbox, and
 * sends reports as defined in magicRecipients. All state is in memory, so waiting reports are lost when it stops.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const callbackBase = new URL(`${options.callbackBaseUrl.replace(/\/+$/, '')}/`);
  const reportDelayMs = options.reportDelayMs ?? 3;
  const lateReportDelayMs = options.lateReportDelayMs ?? LATE_REPORT_SECONDS * 1_000;
  const pendingMessagesLimit = options.pendingMessagesLimit ?? 100_000;
  const countedMessagesLimit = options.countedMessagesLimit ?? 50_000;
  const reportSender = createReportSender({
    origin: callbackBase.origin,
    connections: options.callbackConnections ?? 128,
    ...(options.retryDelaysMs && { retryDelaysMs: options.retryDelaysMs }),
  });
  const stats: SimulatorStats = {
    submissions: 0,
    taken: 0,
    pendingMessages: 0,
    reportsDelivered: 0,
    reportsLost: 0,
  };
  const submissionCounts = new Map<string, number>();
  const foreignIdPrefix = randomBytes(4).toString('hex');
  let waitingForLateReport = 0;
  let stopping = false;

  function sendsms(parameters: Parameters): KannelAnswer | 'cut' {
    stats.submissions++;
    const fault = findFault(parameters, options.credentials, callbackBase);
    if (fault) return fault;
    if (stopping || stats.pendingMessages >= pendingMessagesLimit) return kannelAnswers.temporalFailure;

    const to = parameters.get('to') ?? '';
    const reportUrl = URL.parse(parameters.get('dlr-url') ?? '');
    const messageId = reportUrl?.searchParams.get('messageId') ?? undefined;
    const count = countSubmission(messageId);
    const { answers, reports } = behaviourOf(to);
    const answer = answers[Math.min(count, answers.length) - 1] ?? 'accepted';
    options.onSubmission?.({ messageId, count, answer, text: parameters.get('text') });
    if (answer === 'cutBeforeTaking') return 'cut';
    if (answer !== 'accepted' && answer !== 'cutAfterTaking') return kannelAnswers[answer];

    stats.taken++;
    if (reportUrl) {
      const message: TakenMessage = {
        reportPattern: reportUrl.pathname + reportUrl.search,
        reportMask: Math.max(0, readNumber(parameters.get('dlr-mask'))),
        from: parameters.get('from') ?? '',
        to,
        foreignId: `${foreignIdPrefix}-${stats.taken}`,
      };
      void report(message, reports);
    }
    return answer === 'cutAfterTaking' ? 'cut' : kannelAnswers.accepted;
  }

  /** Each report waits until the previous one is delivered or lost, so that the order is that of the table. */
  async function report(message: TakenMessage, reports: readonly SimulatedReport[]): Promise<void> {
    stats.pendingMessages++;
    for (const { type, late } of reports) {
      if (!isAskedFor(type, message.reportMask)) continue;
      if (late) waitingForLateReport++;
      await sleep(late ? lateReportDelayMs : reportDelayMs, undefined, { ref: !late });
      if (late) waitingForLateReport--;
      const isDelivered = await reportSender.send(fillEscapes(message, type));
      if (isDelivered) stats.reportsDelivered++;
      else countLostReport();
    }
    stats.pendingMessages--;
  }

  function countLostReport(): void {
    stats.reportsLost++;
    options.log.warn(
      { reportsLost: stats.reportsLost },
      'a delivery report failed in all of its attempts; check that the API runs at BASE_URL',
    );
  }

  function countSubmission(messageId: string | undefined): number {
    if (messageId === undefined) return 1;
    const count = (submissionCounts.get(messageId) ?? 0) + 1;
    submissionCounts.set(messageId, count);
    if (submissionCounts.size > countedMessagesLimit) {
      const [oldest] = submissionCounts.keys();
      submissionCounts.delete(oldest ?? messageId);
    }
    return count;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path, query = ''] = splitOnce(request.url ?? '/', '?');
    if (path === SENDSMS_PATH) {
      const parameters = await readParameters(request, query);
      const answer = 'status' in parameters ? parameters : sendsms(parameters);
      if (answer === 'cut') request.socket.destroy();
      else respond(response, answer);
    } else if (path === '/simulator/stats') {
      respondJson(response, stats);
    } else if (path === '/simulator/submissions') {
      const messageId = new URLSearchParams(query).get('messageId') ?? '';
      respondJson(response, { count: submissionCounts.get(messageId) ?? 0 });
    } else {
      respond(response, kannelAnswers.unknownRequest);
    }
  }

  const server = createServer(options.limits ?? simulatorLimits, (request, response) => {
    // A request that was broken off has no socket any more.
    const { socket } = request;
    handle(request, response).catch(() => socket.destroy());
  });
  // Longer than any client of this project keeps an idle connection, like Kannel's 60 s.
  server.keepAliveTimeout = 60_000;
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const port = portOf(server);
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  const url = `http://${host}:${port}${SENDSMS_PATH}`;
  options.log.info({ url, callbackBaseUrl: options.callbackBaseUrl }, 'simulator listening');

  async function stop(): Promise<void> {
    stopping = true;
    const closed = once(server, 'close');
    server.close();
    const deadline = Date.now() + STOP_GRACE_MS;
    while (stats.pendingMessages > waitingForLateReport && Date.now() < deadline) await sleep(20);
    server.closeAllConnections();
    await Promise.all([closed, reportSender.stop()]);
  }
  let stopped: Promise<void> | undefined;

  return {
    url,
    port,
    stats: () => ({ ...stats }),
    submissions: (messageId) => submissionCounts.get(messageId) ?? 0,
    stop: () => (stopped ??= stop()),
  };
}

/** The longest text, 1,600 emoji, takes 20 KiB of a URL; Node's default limit is 16 KiB. */
export const simulatorLimits = {
  maxHeaderSize: 64 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5000,
} as const;

/** The mask selects types by their bits. Types beyond its bits cannot be selected and are always reported. */
function isAskedFor(type: number, mask: number): boolean {
  return type > 31 ? mask > 0 : (type & mask) !== 0;
}

/**
 * Replaces Kannel's escapes in a dlr-url (gw/urltrans.c, urltrans_fill_escape_codes). In a report `%p` is the recipient
 * and `%P` the sender. An escape that Kannel does not know is left unchanged.
 */
function fillEscapes(message: TakenMessage, type: number): string {
  return message.reportPattern.replace(/%(.)/g, (escape, letter: string) => {
    switch (letter) {
      case 'd':
        return String(type);
      case 'i':
        return SMSC_ID;
      case 'F':
        return message.foreignId;
      case 'p':
        return encodeURIComponent(message.to);
      case 'P':
        return encodeURIComponent(message.from);
      case 'T':
        return String(Math.floor(Date.now() / 1_000));
      case '%':
        return '%';
      default:
        return OTHER_ESCAPES.includes(letter) ? '' : escape;
    }
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the simulator is not listening on a port');
  return address.port;
}

function splitOnce(value: string, separator: string): [string, string?] {
  const position = value.indexOf(separator);
  return position < 0 ? [value] : [value.slice(0, position), value.slice(position + 1)];
}

function respond(response: ServerResponse, answer: KannelAnswer): void {
  response.writeHead(answer.status, { 'content-type': 'text/html' });
  response.end(answer.body);
}

function respondJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}
