import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
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
  /** 0 lets the system choose. */
  port: number;
  /** BASE_URL of the API. A dlr-url that is not below it is refused, so nothing else is ever called. */
  callbackBaseUrl: string;
  log: Pick<Logger, 'info' | 'warn'>;
  /** What sendsms asks for. Without it any username and password will do. */
  credentials?: Credentials;
  /** How long after the submission the first report comes. */
  reportDelayMs?: number;
  lateReportDelayMs?: number;
  /** Waits before a callback that was not answered 2xx is repeated; after the last one it is lost. */
  retryDelaysMs?: readonly number[];
  /** Callbacks under way at a time. */
  callbackConnections?: number;
  /** Messages whose reports are not all delivered yet, at most; more are answered as by a busy Kannel. */
  pendingMessagesLimit?: number;
  /** Message ids whose submissions are counted; the oldest is forgotten first. */
  countedMessagesLimit?: number;
  /** Called for each submission with valid parameters, taken or not. */
  onSubmission?: (submission: {
    messageId: string | undefined;
    count: number;
    answer: string;
    text: string | null;
  }) => void;
};

export type SimulatorStats = {
  /** Requests to sendsms, whatever came of them. */
  submissions: number;
  taken: number;
  /** Messages taken whose reports are not all delivered yet. */
  pendingMessages: number;
  reportsDelivered: number;
  /** Reports given up after their last attempt. */
  reportsLost: number;
};

export type Simulator = {
  /** The sendsms URL: what a client takes as GATEWAY_URL. */
  url: string;
  port: number;
  stats(): SimulatorStats;
  /** How often a message was submitted with valid parameters. */
  submissions(messageId: string): number;
  /** Takes no more, gives reports that are due up to two seconds, then drops the rest. */
  stop(): Promise<void>;
};

const SENDSMS_PATH = '/cgi-bin/sendsms';
const STOP_GRACE_MS = 2_000;
const SMSC_ID = 'simulator';
/** Kannel's other escapes, which have no value in a report of the simulator's. */
const OTHER_ESCAPES = 'aAbBcCDfIkmMnoOqQrRsStuvV';

type TakenMessage = {
  /** Path and query of the dlr-url, escapes not yet replaced. */
  reportPattern: string;
  reportMask: number;
  from: string;
  to: string;
  foreignId: string;
};

/**
 * Starts a gateway that takes every message and sends none: it speaks sendsms over HTTP as Kannel's smsbox
 * does, and reports as magicRecipients says. It keeps all in memory, so reports that wait are lost with it.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const callbackBase = new URL(`${options.callbackBaseUrl.replace(/\/+$/, '')}/`);
  const reportDelayMs = options.reportDelayMs ?? 3;
  const lateReportDelayMs = options.lateReportDelayMs ?? LATE_REPORT_SECONDS * 1_000;
  const pendingMessagesLimit = options.pendingMessagesLimit ?? 100_000;
  const countedMessagesLimit = options.countedMessagesLimit ?? 50_000;
  const reportSender = createReportSender({
    origin: callbackBase.origin,
    connections: options.callbackConnections ?? 32,
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

  /** Each report waits for the one before it to be delivered or lost, so that the order is the table's. */
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
      'a delivery report was not taken in any of its attempts; check that the API runs at BASE_URL',
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

  // The longest text, 1,600 emoji, is 20 KiB of a URL; Node's own limit is 16.
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  // Longer than any client of ours keeps an idle connection, as Kannel's 60 s are.
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

/** The mask asks for types by their bits; types beyond its bits cannot be asked for, and come all the same. */
function isAskedFor(type: number, mask: number): boolean {
  return type > 31 ? mask > 0 : (type & mask) !== 0;
}

/**
 * Replaces Kannel's escapes in a dlr-url (gw/urltrans.c, urltrans_fill_escape_codes). In a report `%p` is the
 * recipient and `%P` the sender; an escape Kannel does not know stays as it is.
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
  if (address === null || typeof address === 'string') throw new Error('the simulator listens on no port');
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
