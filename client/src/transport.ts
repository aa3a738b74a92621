import { beginAttempt, type Attempt } from './attempt.ts';
import { Download } from './download.ts';
import { encodeBody, urlOf, type ApiRequest } from './encode-request.ts';
import { EventStream, type StreamDescription } from './event-stream.ts';
import { List, type Paging } from './list.ts';
import { readFailure, readJson } from './read-response.ts';
import { pause, pauseBeforeRepetition, type Repeatable } from './retries.ts';

/** How a client reaches the service. */
export interface ClientOptions {
  /** Where the service is, for example `https://sms.example.com`, without `/api/v1`. */
  baseUrl: string;
  /** An API key, `sms_test_…` or `sms_live_…`. */
  apiKey?: string | undefined;
  /** The token of a session, in place of a key: `token` of `auth.signIn()`. */
  token?: string | undefined;
  /** How often a request is repeated at most. Default 2. */
  maxRetries?: number | undefined;
  /** How long one attempt may take. Default 30, and 600 for uploads. For streams and downloads: until they begin. */
  timeoutSeconds?: number | undefined;
  /** Used in place of the global fetch. */
  fetch?: typeof fetch | undefined;
}

/** What a single call may change. */
export interface RequestOptions {
  /** Ends the call. It then rejects with the reason of the signal. */
  signal?: AbortSignal | undefined;
  maxRetries?: number | undefined;
  timeoutSeconds?: number | undefined;
}

/** The options of a call that the service answers once for each key. */
export interface KeyedRequestOptions extends RequestOptions {
  /**
   * Makes the call safe to repeat, also by another process: for 24 hours, the same key and body return the same
   * answer, and nothing is sent twice. Default: a random key for each call, which covers its own repetitions.
   */
  idempotencyKey?: string | undefined;
}

/** What the generated methods know about an operation. */
export interface OperationRequest extends ApiRequest {
  /** Whether the operation takes an Idempotency-Key. */
  takesKey?: boolean;
  /** Whether the operation changes nothing although it is no GET. */
  isHarmless?: boolean;
  /** Statuses beyond 2xx whose body is an answer and no error. */
  answers?: number[];
}

/** Sends the requests of a client: adds the credential, repeats what may be repeated, and turns failures into errors. */
export class Transport {
  readonly #options: ClientOptions;
  readonly #baseUrl: string;
  readonly #credential: Record<string, string>;

  /** @throws TypeError for an invalid baseUrl or credential, and for a key together with a token */
  constructor(options: ClientOptions) {
    const { apiKey, token } = options;
    if (apiKey !== undefined && token !== undefined) throw new TypeError('Give apiKey or token, not both.');
    this.#options = options;
    this.#baseUrl = readBaseUrl(options.baseUrl);
    this.#credential = {
      ...(apiKey !== undefined && { 'X-API-Key': requireVisible('apiKey', apiKey) }),
      ...(token !== undefined && { Authorization: `Bearer ${requireVisible('token', token)}` }),
    };
  }

  /** Returns the body of the answer. */
  async json<Body>(request: OperationRequest, options: KeyedRequestOptions): Promise<Body> {
    return this.#repeat(request, options, async (headers) => {
      const attempt = this.#begin(request, options);
      try {
        const response = await this.#answer(attempt, request, headers);
        return await attempt.guard(() => readJson<Body>(response));
      } finally {
        attempt.end();
      }
    });
  }

  /** Returns nothing; the answer has no body. */
  async empty(request: OperationRequest, options: RequestOptions): Promise<void> {
    await this.json(request, options);
  }

  /** Returns a file while it is still being received. */
  async download(request: OperationRequest, options: RequestOptions): Promise<Download> {
    return this.#repeat(request, options, (headers) => this.#open(request, options, headers));
  }

  /** Returns a list, which asks for its pages when they are read. */
  list<Item, Page>(
    paging: Paging<Item, Page>,
    request: OperationRequest,
    options: RequestOptions,
  ): List<Item, Page> {
    return new List(paging, request.query ?? {}, (query) => this.json<Page>({ ...request, query }, options));
  }

  /** Returns a stream of server-sent events, which connects when it is read. */
  stream<Data>(
    description: StreamDescription<Data>,
    request: OperationRequest,
    options: RequestOptions,
  ): EventStream<Data> {
    const open = (lastEventId: string | undefined, signal: AbortSignal): Promise<Download> => {
      const resumed: Record<string, string> =
        lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
      const connection = { ...options, signal };
      return this.#repeat(request, connection, (headers) =>
        this.#open(request, connection, { ...headers, ...resumed, Accept: 'text/event-stream' }),
      );
    };
    return new EventStream(description, open, options.signal);
  }

  /** Runs attempts until one succeeds or the next one is not allowed. All of them have the same key. */
  async #repeat<Result>(
    request: OperationRequest,
    options: KeyedRequestOptions,
    run: (headers: Record<string, string>) => Promise<Result>,
  ): Promise<Result> {
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? 2;
    const headers: Record<string, string> = request.takesKey
      ? { 'Idempotency-Key': keyHeader(options.idempotencyKey) }
      : {};
    for (let repetition = 0; ; repetition += 1) {
      options.signal?.throwIfAborted();
      try {
        return await run(headers);
      } catch (error) {
        if (repetition >= maxRetries || isSpent(request)) throw error;
        const pauseMs = pauseBeforeRepetition(error, repeatableOf(request), repetition);
        if (pauseMs === undefined) throw error;
        await pause(pauseMs, options.signal);
      }
    }
  }

  /** Sends one request for a body that is read later. Ends the attempt when the body has ended. */
  async #open(
    request: OperationRequest,
    options: RequestOptions,
    headers: Record<string, string>,
  ): Promise<Download> {
    const attempt = this.#begin(request, options);
    try {
      const response = await this.#answer(attempt, request, headers);
      attempt.stopTimer();
      return new Download(response, attempt);
    } catch (error) {
      attempt.end();
      throw error;
    }
  }

  /** Sends one request, and throws the error that it is answered with. */
  async #answer(
    attempt: Attempt,
    request: OperationRequest,
    headers: Record<string, string>,
  ): Promise<Response> {
    const { body, contentType } = encodeBody(request);
    const send = this.#options.fetch ?? fetch;
    const init = {
      method: request.method,
      headers: {
        ...this.#credential,
        ...headers,
        ...(contentType !== undefined && { 'Content-Type': contentType }),
      },
      ...(body !== undefined && { body }),
      // A redirect would carry the key to another host, and turn a POST into a GET.
      redirect: 'manual',
      // Required for a body that is a stream (WHATWG Fetch); the types of the DOM do not know it yet.
      duplex: 'half',
      signal: attempt.signal,
    } as RequestInit;
    const response = await attempt.guard(() => send(urlOf(this.#baseUrl, request), init));
    if (response.ok || request.answers?.includes(response.status)) return response;
    throw await attempt.guard(() => readFailure(response));
  }

  #begin({ isUpload }: OperationRequest, options: RequestOptions): Attempt {
    const usualSeconds = isUpload ? 600 : 30;
    return beginAttempt(
      options.signal,
      options.timeoutSeconds ?? this.#options.timeoutSeconds ?? usualSeconds,
    );
  }
}

/** Returns the URL without a slash at its end. A message does not show the URL, which may contain a password. */
function readBaseUrl(baseUrl: string): string {
  if (!/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new TypeError('baseUrl must be a URL that begins with http:// or https://.');
  }
  const { href, username, password, search, hash } = new URL(baseUrl);
  if (username + password + search + hash !== '') {
    throw new TypeError('baseUrl must not have a user, a password, a query or a fragment.');
  }
  const path = href.replace(/[?#]?$/, '').replace(/\/+$/, '');
  if (path.endsWith('/api/v1')) throw new TypeError('baseUrl must not end with /api/v1: the client adds it.');
  return path;
}

/** Whether the body was read from a stream, which can be read only once. */
function isSpent(request: OperationRequest): boolean {
  return request.isUpload === true && encodeBody(request).isSpent === true;
}

function repeatableOf({ method, takesKey, isHarmless }: OperationRequest): Repeatable {
  return method === 'GET' || takesKey || isHarmless ? 'always' : 'if-nothing-done';
}

/**
 * Returns a credential that can be sent. Otherwise fetch would refuse it, with an error that shows it: one that was read
 * from a file often ends with a line break.
 */
function requireVisible(name: string, value: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new TypeError(`${name} is empty, or has spaces, line breaks or other characters that none has.`);
}

/** A header value holds bytes: characters beyond ASCII are written as UTF-8, as the service reads them. */
function keyHeader(key: string = randomKey()): string {
  // oxlint-disable-next-line no-control-regex -- They are what no header can hold.
  if (/[\0-\x1f\x7f]/.test(key)) throw new TypeError('idempotencyKey has control characters.');
  return String.fromCharCode(...new TextEncoder().encode(key));
}

/** 128 random bits. `crypto.randomUUID` would do, but browsers have it only in pages that were loaded over https. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) =>
    part.toString(16).padStart(8, '0'),
  ).join('');
}
