import express, { type Express, type RequestHandler, type Router } from 'express';
import { analyticsRoutes } from './analytics/routes.ts';
import { createApiKeyLookup } from './api-keys/find-api-key.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { createAuth, type AuthSettings } from './auth/better-auth.ts';
import { authenticate } from './auth/access/authenticate.ts';
import { authorize } from './auth/access/authorize.ts';
import { limitInvitations, type InvitationLimits } from './auth/access/limit-invitations.ts';
import { limitSignIn } from './auth/access/limit-sign-in.ts';
import type { Mailer } from './auth/mails/mailer.ts';
import { createCrossSiteCheck } from './auth/access/refuse-cross-site.ts';
import { createSessionReader } from './auth/access/require-session.ts';
import { authRoutes } from './auth/routes.ts';
import { createSessionCookies } from './auth/sessions/session-cookies.ts';
import { sessionRoutes } from './auth/sessions/session-routes.ts';
import { passkeyRoutes } from './auth/passkeys/passkey-routes.ts';
import { securityEventRoutes } from './auth/security-events/security-event-routes.ts';
import { twoFactorRoutes } from './auth/two-factor/two-factor-routes.ts';
import { bulkSmsRoutes } from './bulk-sms/routes.ts';
import { campaignRoutes } from './campaigns/routes.ts';
import type { TrustedProxies } from './config.ts';
import { consoleRoutes } from './console/routes.ts';
import { contentRuleRoutes } from './content-rules/routes.ts';
import { contactRoutes } from './contacts/routes.ts';
import { createReceiveReport } from './gateway/receive-report.ts';
import { receiveUsualReports } from './gateway/receive-usual-reports.ts';
import { gatewayRoutes } from './gateway/routes.ts';
import { answerErrors } from './http/answer-errors.ts';
import { forbidStoring, setHeadersOfAll } from './http/answer-headers.ts';
import { checkHeaders } from './http/requests/check-headers.ts';
import { announceDeprecation } from './http/contract/deprecation.ts';
import { findOperation, loadContract, type Contract } from './http/contract/contract.ts';
import { decodeBody } from './http/requests/decode-body.ts';
import { docsRoutes } from './http/contract/docs-routes.ts';
import { measureRequests } from './http/requests/measure-requests.ts';
import { lowerCaseIds } from './http/requests/lower-case-ids.ts';
import { readQuery } from './http/requests/read-query.ts';
import { refuseOtherIds } from './http/requests/refuse-other-ids.ts';
import { assignRequestId } from './http/requests/request-id.ts';
import { traceRequests } from './http/requests/trace-requests.ts';
import { validateRequests } from './http/contract/validate-requests.ts';
import { readKeyHeader } from './idempotency/read-key-header.ts';
import { inboundRoutes } from './inbound/routes.ts';
import { messageRoutes } from './messages/routes.ts';
import type { NoticeListener } from './notice-listener.ts';
import type { NotificationFeed } from './notifications/notification-feed.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { healthRoutes } from './operations/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { phonebookRoutes } from './phonebooks/routes.ts';
import type { RequestCounter } from './rate-limits/count-requests.ts';
import { limitAccountRate, limitRate, type RateLimits } from './rate-limits/limit-rate.ts';
import { privacyRoutes } from './privacy/routes.ts';
import { shareProcess } from './rate-limits/share-process.ts';
import { scheduleRoutes } from './schedules/routes.ts';
import { securityCodeRoutes } from './security-codes/routes.ts';
import { securityCodeWatchRoutes } from './security-codes/watch/routes.ts';
import { redriveRoutes } from './redrives/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { senderIdRoutes } from './sender-ids/routes.ts';
import { sendingControlsRoutes } from './sending-controls/routes.ts';
import type { Services } from './services.ts';
import type { EventStreams } from './streams/event-streams.ts';
import { suppressionRoutes } from './suppressions/routes.ts';
import { templateRoutes } from './templates/routes.ts';
import { isTracing } from './tracing.ts';

/** What the API needs: the services that it shares with the worker, and its own. */
export interface AppDependencies extends Services {
  baseUrl: string;
  /** The tokens that the gateway's callbacks may have. */
  gatewayTokens: readonly string[];
  authSettings: Omit<AuthSettings, 'baseUrl'>;
  mailer: Mailer | null;
  webhookAllowedHosts: readonly string[];
  /** Counts requests across all processes: `createRequestCounter`. */
  requestCounter: RequestCounter;
  rateLimits: RateLimits;
  invitationLimits: InvitationLimits;
  organizationsPerUser: number;
  /** The Temporal Web UI, which administrators are shown; null if its address is not configured. */
  temporalUi: { url: string | null; namespace: string };
  /** After how many days a live key expires that names no expiry; never by default. */
  liveKeyDays?: number | undefined;
  /** How long an upload may send nothing before it is ended; 30 seconds by default. */
  uploadStallMs?: number | undefined;
  /** The proxies whose X-Forwarded-For is trusted: a number of hops, or addresses (Express's `trust proxy`). */
  trustProxy?: TrustedProxies;
  /** Called for each use of a key: `createKeyUseRecorder`. */
  recordKeyUse: (keyId: string) => void;
  /** Receives notices from other processes: `createNoticeListener`. */
  notices: NoticeListener;
  /** The open server-sent events of this process: `createEventStreams`. */
  streams: EventStreams;
  /** The source of the server-sent events for notifications: `createNotificationFeed`. */
  notificationFeed: NotificationFeed;
  /** Validates each response against openapi.yaml too; a deviation is a 500. Enabled in every test. */
  validateResponses?: boolean;
}

/**
 * The routers of all features. Each takes the services of the API and returns its router. Express tries them in this
 * order, so the one with the most requests is the first.
 */
const features: readonly ((api: ApiServices) => Router)[] = [
  messageRoutes,
  ...[sessionRoutes, twoFactorRoutes, passkeyRoutes, authRoutes, securityEventRoutes],
  ...[apiKeyRoutes, auditRoutes, organizationRoutes, contentRuleRoutes],
  ...[templateRoutes, campaignRoutes, senderIdRoutes, suppressionRoutes, sendingControlsRoutes],
  ...[bulkSmsRoutes, notificationRoutes, scheduleRoutes, webhookRoutes, redriveRoutes, privacyRoutes],
  ...[securityCodeRoutes, securityCodeWatchRoutes, contactRoutes, phonebookRoutes, inboundRoutes, analyticsRoutes, gatewayRoutes],
];

/**
 * Creates the API. Each request gets an id and is matched with its operation in openapi.yaml. Its caller is
 * authenticated and authorized as a principal. Its body is read and validated. Then the router of its feature responds.
 */
export function createApp(dependencies: AppDependencies): Express {
  const { log, baseUrl } = dependencies;
  const receiveReport = createReceiveReport(dependencies);
  const api: ApiServices = { ...dependencies, ...createAccess(dependencies), receiveReport };
  const contract = loadContract();
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', dependencies.trustProxy ?? false);
  app.use(handlersOfAll(api, contract));
  app.use(healthRoutes(api));
  for (const routesOf of features) app.use(routesOf(api));
  app.use(refuseUnrouted);
  app.use(answerErrors(log, baseUrl, contract));
  return app;
}

type ApiServices = AppDependencies &
  ReturnType<typeof createAccess> & { receiveReport: ReturnType<typeof createReceiveReport> };

/** Creates what identifies callers: accounts and their sessions, and API keys. */
function createAccess({ database, log, now, mailer, notices, baseUrl, authSettings }: AppDependencies) {
  const { secret, trustedOrigins } = authSettings;
  const refuseCrossSite = createCrossSiteCheck([new URL(baseUrl).origin, ...trustedOrigins]);
  const sessionCookies = createSessionCookies({ baseUrl, secret });
  return {
    refuseCrossSite,
    sessionCookies,
    secret,
    trustedOrigins,
    auth: createAuth({ database, settings: { ...authSettings, baseUrl }, mailer, log, now }),
    readSession: createSessionReader({ database, sessionCookies, refuseCrossSite, now }),
    apiKeys: createApiKeyLookup(database, notices),
  };
}

/** `findOperation` has refused what openapi.yaml does not describe, so a router is missing. */
const refuseUnrouted: RequestHandler = ({ operation: { method, path } }) => {
  throw new Error(`No router handles ${method} ${path}, which openapi.yaml describes.`);
};

/** What every request passes before the router of its feature, in this order. */
function handlersOfAll(api: ApiServices, contract: Contract): RequestHandler[] {
  const { requestCounter, rateLimits, secret, mailer } = api;
  return [
    assignRequestId(api.log),
    ...(isTracing() ? [traceRequests()] : []),
    measureRequests(),
    setHeadersOfAll(api.baseUrl),
    checkHeaders(),
    receiveUsualReports(api, contract),
    docsRoutes(contract),
    consoleRoutes(),
    findOperation(contract),
    forbidStoring(),
    announceDeprecation(api.baseUrl),
    authenticate({ ...api, findApiKey: api.apiKeys.find }),
    shareProcess(),
    limitRate(requestCounter.count, rateLimits),
    readQuery(),
    decodeBody(contract, api.uploadStallMs),
    lowerCaseIds(),
    readKeyHeader(),
    validateRequests(contract, api.validateResponses ?? false),
    limitAccountRate(requestCounter, rateLimits, secret),
    limitSignIn({ ...api, counter: requestCounter, limits: rateLimits }),
    limitInvitations({
      counter: requestCounter,
      limits: api.invitationLimits,
      secret,
      mailsGoOut: mailer?.mailsGoOut ?? false,
    }),
    authorize(),
    refuseOtherIds(),
  ];
}
