import type { Request, Response } from 'express';
import type { Database } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { Log } from '../log.ts';
import { metrics } from '../metrics.ts';
import { findAdmitted, type AdmittedCaller } from './find-admitted.ts';

/** How often the readers' rights are checked: revoked rights take effect within a second. */
const checkMs = 1000;

/** How long a stream may be silent before proxies close it, and a reader may stop reading before we close it. */
const silenceMs = 15_000;

/** How long streams stay open while rights cannot be checked, for example while the database restarts. */
const longestUncheckedMs = 30_000;

/** How many bytes are buffered for a reader that does not read. Beyond this, the stream is closed. */
const bufferedBytes = 1024 * 1024;

/** The maximum number of open streams in a process, for one session or key and for one person. */
export const streamLimits = { credential: 20, person: 40 } as const;

/**
 * The range of the time that a client waits before it reconnects. Each client gets a different time, so the clients of
 * a process that stops do not reconnect all at once.
 */
const [soonestRetryMs, latestRetryMs] = [1000, 4000];

/** One open response of server-sent events (WHATWG HTML, 9.2). Its functions never throw after it is closed. */
export interface EventStream {
  /** Aborted when the stream has ended, from either side. */
  readonly closed: AbortSignal;
  /** Whether the reader is behind: data sent now waits in memory. */
  readonly isBehind: boolean;
  /** Calls back each time the reader has caught up. */
  onCaughtUp: (caughtUp: () => void) => void;
  /** Sends an event with JSON. If it has an id, the client sends it as Last-Event-ID when it reconnects. */
  send: (event: string, data: unknown, id?: string) => void;
  /** Sends an id without an event, so a client that reconnects before the first event misses nothing. */
  sendId: (id: string) => void;
  end: () => void;
}

/** The streams of a process. */
export interface EventStreams {
  /**
   * Begins the response to a request. A HEAD request gets only the headers, and the returned stream is closed.
   * Errors: rate_limited, unavailable.
   *
   * @param organizationId the organization for which the caller acts; null for a person without one
   */
  open: (request: Request, response: Response, organizationId: string | null) => EventStream;
  /** Ends all streams. Their clients reconnect to another process. */
  stop: () => void;
}

interface OpenStream {
  caller: AdmittedCaller;
  userId: string | null;
  checkedAt: number;
  /** When data was last written. */
  wroteAt: number;
  /** Since when the reader has been behind; null if it is not behind. */
  behindSince: number | null;
  response: Response;
}

/**
 * Creates the streams that all streaming endpoints share. They send a comment after every 15 seconds of silence. They
 * check the readers' rights once a second, in one statement for all streams, and close the streams of readers who have
 * lost them. They close the streams of readers that do not read, limit the number of open streams of one caller, and
 * close all streams when the process stops.
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
      if (!isFailing) log.warn({ err: error }, 'cannot check the rights of stream readers; will retry');
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
      if (isStopping) throw new ApiError('unavailable', 'This process is about to stop. Reconnect.');
      const stream = describe(request, response, organizationId);
      enforceLimits(stream, open);
      response.set({
        'Content-Type': 'text/event-stream',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
        // No request follows a stream, so a process that stops does not have to wait for idle connections.
        Connection: 'close',
      });
      response.flushHeaders();
      const closing = new AbortController();
      // If the client has already disconnected, no `close` event follows.
      if (request.isHead || response.destroyed) {
        response.end();
        closing.abort();
        return handleOf(stream, closing.signal);
      }
      open.add(stream);
      metrics.streamsOpen.inc();
      timer ??= setInterval(heartbeat, checkMs);
      response.on('drain', () => (stream.behindSince = null));
      response.once('close', () => {
        open.delete(stream);
        metrics.streamsOpen.dec();
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
    checkedAt: at,
    wroteAt: at,
    behindSince: null,
    response,
  };
}

function enforceLimits({ caller, userId }: OpenStream, open: Set<OpenStream>): void {
  let [ofCredential, ofPerson] = [0, 0];
  for (const other of open) {
    if (other.caller.apiKeyId === caller.apiKeyId && other.caller.sessionId === caller.sessionId)
      ofCredential += 1;
    if (userId !== null && other.userId === userId) ofPerson += 1;
  }
  if (ofCredential < streamLimits.credential && ofPerson < streamLimits.person) return;
  throw new ApiError(
    'rate_limited',
    `A session or key may have at most ${streamLimits.credential} open streams, and a person ${streamLimits.person}. ` +
      'Close one, or let several readers share one.',
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
