import type { Request, Response } from 'express';
import type { Database } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { Log } from '../log.ts';
import { findAdmitted, type AdmittedCaller } from './find-admitted.ts';

/** How often it is looked who may still read: rights that are taken away hold within a second (contract section 2). */
const checkMs = 1000;

/** How long a stream may be silent before proxies take it for dead, and its reader may not read before he is cut off. */
const silenceMs = 15_000;

/** For so long streams stay open although it cannot be looked who may read: while the database restarts. */
const longestUncheckedMs = 30_000;

/** What is kept for a reader who does not read. One event more, and he is cut off. */
const bufferedBytes = 1024 * 1024;

/** Streams that a process has open at a time, of one session or key, and of one person. */
export const streamLimits = { credential: 20, person: 40 } as const;

/** A client waits so long before it connects anew, each another time: all of a process that stops come at once. */
const [soonestRetryMs, latestRetryMs] = [1000, 4000];

/** One open answer of server-sent events (WHATWG HTML, 9.2). Nothing of it throws once it is closed. */
export interface EventStream {
  /** Aborted once the stream is over, whoever ended it. */
  readonly closed: AbortSignal;
  /** Whether the reader is behind: what is sent now waits in memory. */
  readonly isBehind: boolean;
  /** Calls back each time that the reader has caught up. */
  onCaughtUp: (caughtUp: () => void) => void;
  /** Sends an event with JSON; with an id, the client names it as Last-Event-ID when it connects anew. */
  send: (event: string, data: unknown, id?: string) => void;
  /** Tells the client an id without an event, so that what comes before the first one is not missed either. */
  sendId: (id: string) => void;
  end: () => void;
}

/** The streams of a process. */
export interface EventStreams {
  /**
   * Begins to answer a request. To HEAD that is all of the answer, and the stream is closed as it is given.
   * Errors: rate_limited, unavailable.
   *
   * @param organizationId for which the caller acts; null for a person as such
   */
  open: (request: Request, response: Response, organizationId: string | null) => EventStream;
  /** Ends all of them; their clients connect anew, to another process. */
  stop: () => void;
}

interface OpenStream {
  caller: AdmittedCaller;
  userId: string | null;
  checkedAt: number;
  /** When something was last written. */
  wroteAt: number;
  /** Since when the reader is behind; null: he is not. */
  behindSince: number | null;
  response: Response;
}

/**
 * Makes what all endpoints share that answer with a stream: a comment in every silence of 15 seconds, an end for whoever
 * may not read any more, looked for once a second and in one statement for all streams, an end for whoever does not
 * read, a bound on how many one caller has open, and an end for all when the process stops.
 */
export function createEventStreams(dependencies: {
  database: Database;
  log: Log;
  now?: () => Date;
}): EventStreams {
  const { database, log, now = () => new Date() } = dependencies;
  const open = new Set<OpenStream>();
  let isStopping = false;
  let isChecking = false;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;

  async function endRefused(): Promise<void> {
    if (isChecking) return;
    isChecking = true;
    const streams = [...open];
    const at = performance.now();
    try {
      const admitted = await findAdmitted(
        database,
        streams.map(({ caller }) => caller),
        now(),
      );
      isFailing = false;
      streams.forEach((stream, index) => {
        if (admitted[index]) stream.checkedAt = at;
        else stream.response.end();
      });
    } catch (error) {
      if (!isFailing)
        log.warn({ err: error }, 'it cannot be looked who may still read streams; it is tried again');
      isFailing = true;
      for (const stream of streams) if (at - stream.checkedAt > longestUncheckedMs) stream.response.end();
    } finally {
      isChecking = false;
    }
  }

  function heartbeat(): void {
    const at = performance.now();
    for (const stream of open) {
      const { response, behindSince, wroteAt } = stream;
      if (behindSince !== null && at - behindSince > silenceMs) response.destroy();
      else if (behindSince === null && at - wroteAt >= silenceMs) write(stream, ': still here\n\n');
    }
    void endRefused();
  }

  return {
    open: (request, response, organizationId) => {
      if (isStopping) throw new ApiError('unavailable', 'This process is about to stop. Connect anew.');
      const stream = describe(request, response, organizationId);
      holdToLimits(stream, open);
      response.set({
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
        // Nothing comes after a stream; a process that stops need not wait for what stays idle.
        Connection: 'close',
      });
      response.flushHeaders();
      const closing = new AbortController();
      // Who has gone away meanwhile is told of by no event any more.
      if (request.isHead || response.destroyed) {
        response.end();
        closing.abort();
        return handleOf(stream, closing.signal);
      }
      open.add(stream);
      timer ??= setInterval(heartbeat, checkMs);
      response.on('drain', () => (stream.behindSince = null));
      response.once('close', () => {
        open.delete(stream);
        closing.abort();
        if (open.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      });
      const retryMs = soonestRetryMs + Math.round(Math.random() * (latestRetryMs - soonestRetryMs));
      write(stream, `retry: ${retryMs}\n\n`);
      return handleOf(stream, closing.signal);
    },
    stop: () => {
      isStopping = true;
      for (const { response } of open) response.end();
    },
  };
}

function describe(request: Request, response: Response, organizationId: string | null): OpenStream {
  const { apiKey, session, operation } = request;
  const at = performance.now();
  return {
    caller: {
      apiKeyId: apiKey?.id ?? null,
      sessionId: session?.id ?? null,
      organizationId,
      permission: operation.permission,
    },
    userId: session?.userId ?? null,
    ...{ checkedAt: at, wroteAt: at, behindSince: null, response },
  };
}

function holdToLimits({ caller, userId }: OpenStream, open: Set<OpenStream>): void {
  let [ofCredential, ofPerson] = [0, 0];
  for (const other of open) {
    if (other.caller.apiKeyId === caller.apiKeyId && other.caller.sessionId === caller.sessionId)
      ofCredential += 1;
    if (userId !== null && other.userId === userId) ofPerson += 1;
  }
  if (ofCredential < streamLimits.credential && ofPerson < streamLimits.person) return;
  throw new ApiError(
    'rate_limited',
    `At most ${streamLimits.credential} streams of a session or key are open at a time, and ${streamLimits.person} ` +
      'of a person. Close one, or let several readers share one.',
    { headers: { 'Retry-After': '5' } },
  );
}

function handleOf(stream: OpenStream, closed: AbortSignal): EventStream {
  const { response } = stream;
  return {
    closed,
    get isBehind() {
      return stream.behindSince !== null;
    },
    onCaughtUp: (caughtUp) => void response.on('drain', caughtUp),
    send: (event, data, id) =>
      write(
        stream,
        `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
      ),
    sendId: (id) => write(stream, `id: ${id}\n\n`),
    end: () => void response.end(),
  };
}

function write(stream: OpenStream, text: string): void {
  const { response } = stream;
  if (response.writableEnded || response.destroyed) return;
  stream.wroteAt = performance.now();
  if (response.write(text)) return;
  stream.behindSince ??= stream.wroteAt;
  if (response.writableLength > bufferedBytes) response.destroy();
}
