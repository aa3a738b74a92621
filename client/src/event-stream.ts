import type { Download } from './download.ts';
import { createEventParser, type ParsedEvent } from './parse-events.ts';
import { isWorthRepeating, jitteredPauseMs, pause } from './retries.ts';

/** What a stream consists of. */
export interface StreamDescription<Data> {
  /** The kind of event that is returned. Others are ignored. */
  event: string;
  /** Whether an event is the last one, after which the server ends the stream for good. */
  isLast?: (data: Data) => boolean;
}

/** How long a connection may be silent. The service sends a comment after every 15 seconds without events. */
const longestSilenceMs = 45_000;

/** How long to wait before reconnecting, until the server says it. */
const usualRetryMs = 3_000;

/**
 * A stream of server-sent events: `for await (const data of stream)`. When the connection breaks, it reconnects and
 * goes on after the last event that was returned, for as long as it takes. It ends when the loop is left, with
 * `close()`, or with the signal of the call, whose reason it then throws. It throws SmsApiError when the service
 * refuses it, for example because the session has ended.
 */
export class EventStream<Data> implements AsyncIterable<Data> {
  readonly #description: StreamDescription<Data>;
  readonly #connect: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Download>;
  readonly #callerSignal: AbortSignal | undefined;
  readonly #closing = new AbortController();
  readonly #stopForCaller = (): void => this.#closing.abort();
  readonly #events = this.#receive();
  #begun: Promise<IteratorResult<ParsedEvent, void>> | undefined;
  #lastEventId: string | undefined;

  constructor(
    description: StreamDescription<Data>,
    connect: (lastEventId: string | undefined, signal: AbortSignal) => Promise<Download>,
    callerSignal: AbortSignal | undefined,
  ) {
    this.#description = description;
    this.#connect = connect;
    this.#callerSignal = callerSignal;
    if (callerSignal?.aborted) this.#closing.abort();
    callerSignal?.addEventListener('abort', this.#stopForCaller, { once: true });
  }

  /** The id of the last event that was returned; undefined if the events have no ids. */
  get lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /**
   * Connects now instead of with the first iteration. When it resolves, everything that happens from now on will be in
   * the stream: a list that is requested afterwards, and the stream, have no gap between them.
   */
  async open(): Promise<this> {
    this.#begun ??= this.#events.next();
    await this.#begun;
    return this;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Data, void, undefined> {
    try {
      let next = await (this.#begun ?? this.#events.next());
      this.#begun = undefined;
      for (; !next.done; next = await this.#events.next()) {
        if (next.value.event !== this.#description.event) continue;
        const data = JSON.parse(next.value.data!) as Data;
        yield data;
        if (this.#description.isLast?.(data)) return;
      }
    } finally {
      this.close();
    }
  }

  /** Ends the stream. A loop over it ends too. */
  close(): void {
    this.#callerSignal?.removeEventListener('abort', this.#stopForCaller);
    this.#closing.abort();
    // Ends the connection's own loops, whose timers would keep the process alive.
    void this.#events.return().catch(() => undefined);
  }

  /** The events of one connection after the other. */
  async *#receive(): AsyncGenerator<ParsedEvent, void, undefined> {
    const { signal } = this.#closing;
    let retryMs = usualRetryMs;
    let isConnected = false;
    let failures = 0;
    for (;;) {
      try {
        const download = await this.#connect(this.#lastEventId, signal);
        isConnected = true;
        for await (const event of eventsOf(download)) {
          failures = 0;
          retryMs = event.retryMs ?? retryMs;
          this.#lastEventId = event.id ?? this.#lastEventId;
          if (event.id !== undefined || event.event !== undefined) yield event;
        }
        await pause(retryMs, signal);
      } catch (error) {
        this.#callerSignal?.throwIfAborted();
        if (signal.aborted) return;
        // Until the first connection, the caller hears of every failure; afterwards only of refusals.
        if (!isConnected || !isWorthRepeating(error)) throw error;
        failures += 1;
        await pause(retryMs + jitteredPauseMs(failures, Math.random()), signal).catch(() => undefined);
      }
    }
  }
}

/** The events of a connection. One that is silent for too long is given up: its other side may be gone. */
async function* eventsOf(download: Download): AsyncGenerator<ParsedEvent, void, undefined> {
  const parse = createEventParser();
  const decoder = new TextDecoder();
  let timer = setTimeout(() => download.cancel(), longestSilenceMs);
  try {
    for await (const chunk of download) {
      clearTimeout(timer);
      timer = setTimeout(() => download.cancel(), longestSilenceMs);
      yield* parse(decoder.decode(chunk, { stream: true }));
    }
  } finally {
    clearTimeout(timer);
  }
}
