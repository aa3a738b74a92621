import { once } from 'node:events';
import { createServer, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import type { WorkflowClient } from '@temporalio/client';
import type { AuthSettings } from '../../src/auth/better-auth.ts';
import type { InvitationLimits } from '../../src/auth/access/limit-invitations.ts';
import type { Mail } from '../../src/auth/mails/mailer.ts';
import { createKeyUseRecorder } from '../../src/api-keys/record-key-use.ts';
import { createApp } from '../../src/app.ts';
import type { TrustedProxies } from '../../src/config.ts';
import type { Database } from '../../src/database.ts';
import { answerParserErrors, serverOptions } from '../../src/http/requests/answer-parser-errors.ts';
import { logOptions } from '../../src/log.ts';
import { createNoticeListener } from '../../src/notice-listener.ts';
import { createNotificationFeed } from '../../src/notifications/notification-feed.ts';
import { createRequestCounter } from '../../src/rate-limits/count-requests.ts';
import type { RateLimits } from '../../src/rate-limits/limit-rate.ts';
import { createServices } from '../../src/services.ts';
import { createEventStreams } from '../../src/streams/event-streams.ts';
import { createTemporalClient } from '../../src/temporal.ts';
import { isNamedError } from './named-errors.ts';

export const gatewayToken = 'gateway-token-of-the-tests';
/** The token before the last change, which is still accepted. */
export const previousGatewayToken = 'previous-gateway-token';

export const authSecret = 'secret-of-the-tests-0123456789-abcdef';

export const securityCodePepper = 'pepper-of-the-tests-0123456789-abcdef';

export interface Answer {
  status: number;
  headers: Headers;
  // Tests read bodies of every shape. openapi.yaml defines them, not a type.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface TestApi {
  baseUrl: string;
  /** The mails sent so far, oldest first. */
  mails: Mail[];
  /** Sends a request. `json`, `form` and `multipart` are the three encodings of a body; `raw` is sent unchanged. */
  call: (method: string, path: string, options?: CallOptions) => Promise<Answer>;
  stop: () => Promise<void>;
}

export interface CallOptions {
  key?: string;
  /** A session's token, sent as a bearer token. */
  session?: string;
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string> | URLSearchParams;
  multipart?: Record<string, string> | [name: string, value: string][];
  raw?: { type?: string; body: string | Buffer };
}

/**
 * Starts the real app on a real database, on its own port, and validates every response against openapi.yaml, which must
 * also name the code of each error. Without a workflow client Temporal is down: nothing listens at its address.
 */
export async function startTestApi(options: {
  database: Database;
  workflowClient?: WorkflowClient;
  webhookAllowedHosts?: string[];
  rateLimits?: Partial<RateLimits>;
  invitationLimits?: Partial<InvitationLimits>;
  organizationsPerUser?: number;
  liveKeyDays?: number;
  /** How long an upload may send nothing before it is ended. */
  uploadStallMs?: number;
  /** Other limits of time than those of the API's listener. */
  listenerLimits?: ServerOptions;
  /** Whether mails leave the service. Default true. */
  mailsGoOut?: boolean;
  /** Whether the service can write mails at all. Default true. */
  hasMailer?: boolean;
  auth?: Partial<AuthSettings>;
  log?: (line: string) => void;
  trustProxy?: TrustedProxies;
  now?: () => Date;
}): Promise<TestApi> {
  const offline = options.workflowClient
    ? null
    : createTemporalClient({ address: '127.0.0.1:1', namespace: 'default' });
  const server = createServer({ ...serverOptions, ...options.listenerLimits });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const write = options.log;
  const mails: Mail[] = [];
  const keyUses = createKeyUseRecorder(options.database, pino({ level: 'silent' }));
  const requests = createRequestCounter(options.database, pino({ level: 'silent' }), options.now);
  const log = write ? pino({ ...logOptions, level: 'trace' }, { write }) : pino({ level: 'silent' });
  const streams = createEventStreams({ database: options.database, log, now: options.now });
  const notices = createNoticeListener({ url: options.database.config.get('clientUrl'), log });
  const notificationFeed = createNotificationFeed({ database: options.database, notices, log });
  const app = createApp({
    ...createServices({
      ...{ database: options.database, log, securityCodePepper, now: options.now },
      workflowClient: options.workflowClient ?? offline!.workflow,
    }),
    baseUrl,
    gatewayTokens: [gatewayToken, previousGatewayToken],
    authSettings: { secret: authSecret, trustedOrigins: [], ...options.auth },
    mailer:
      options.hasMailer === false
        ? null
        : {
            send: (mail) => void mails.push(mail),
            mailsGoOut: options.mailsGoOut ?? true,
            close: () => Promise.resolve(),
          },
    webhookAllowedHosts: options.webhookAllowedHosts ?? ['127.0.0.1'],
    recordKeyUse: keyUses.note,
    notices,
    streams,
    notificationFeed,
    requestCounter: requests,
    rateLimits: {
      caller: 1e6,
      organization: 1e6,
      unauthenticated: 1e6,
      account: 1e6,
      accountFromStrangers: 1e6,
      mailsToAddressPerDay: 1e6,
      ...options.rateLimits,
    },
    invitationLimits: { toAddress: 1e6, byPerson: 1e6, ...options.invitationLimits },
    organizationsPerUser: options.organizationsPerUser ?? 1e6,
    temporalUi: { url: 'http://temporal.example', namespace: 'default' },
    liveKeyDays: options.liveKeyDays,
    uploadStallMs: options.uploadStallMs,
    trustProxy: options.trustProxy,
    validateResponses: true,
  });
  server.on('request', app);
  answerParserErrors(server, baseUrl);
  return {
    baseUrl,
    mails,
    call: (method, path, callOptions = {}) => call(`${baseUrl}${path}`, method, callOptions),
    stop: async () => {
      streams.stop();
      notificationFeed.stop();
      await notices.stop();
      requests.stop();
      await keyUses.stop().catch(() => undefined);
      server.closeAllConnections();
      server.close();
      await offline?.connection.close();
    },
  };
}

async function call(url: string, method: string, options: CallOptions): Promise<Answer> {
  const { body, type } = encode(options);
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(options.key !== undefined && { 'X-API-Key': options.key }),
      ...(options.session !== undefined && { Authorization: `Bearer ${options.session}` }),
      ...(type !== undefined && { 'Content-Type': type }),
      ...options.headers,
    },
    body,
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  const answer = {
    status: response.status,
    headers: response.headers,
    body: isJson && text ? JSON.parse(text) : text,
  };
  refuseUnnamedError(method, new URL(url).pathname, answer);
  return answer;
}

/** Each code must stand in openapi.yaml at the operation that returns it, or the page of the code would be incomplete. */
function refuseUnnamedError(method: string, path: string, { headers, body }: Answer): void {
  // The response to a HEAD request has no body.
  if (body === '' || !headers.get('content-type')?.startsWith('application/problem+json')) return;
  const { code } = body as { code: string };
  if (!isNamedError(code, method, path)) {
    throw new Error(`openapi.yaml does not name ${code} in the error responses of ${method} ${path}.`);
  }
}

function encode({ json, form, multipart, raw }: CallOptions): { body?: RequestInit['body']; type?: string } {
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' };
  if (form) return { body: String(new URLSearchParams(form)), type: 'application/x-www-form-urlencoded' };
  if (multipart) {
    const data = new FormData();
    const fields = Array.isArray(multipart) ? multipart : Object.entries(multipart);
    for (const [name, value] of fields) data.append(name, value);
    return { body: data };
  }
  if (raw) return { body: raw.body as never, type: raw.type };
  return {};
}
