import type { WorkflowClient } from '@temporalio/client';
import express, { type Express } from 'express';
import { analyticsRoutes } from './analytics/routes.ts';
import { createApiKeyLookup } from './api-keys/find-api-key.ts';
import { apiKeyRoutes } from './api-keys/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { createAuth, type AuthSettings } from './auth/better-auth.ts';
import { authenticate } from './auth/authenticate.ts';
import { authorize } from './auth/authorize.ts';
import { limitInvitations, type InvitationLimits } from './auth/limit-invitations.ts';
import { limitSignIn } from './auth/limit-sign-in.ts';
import type { Mailer } from './auth/mailer.ts';
import { createCrossSiteCheck } from './auth/refuse-cross-site.ts';
import { createSessionReader } from './auth/require-session.ts';
import { authRoutes } from './auth/routes.ts';
import { createSessionCookies } from './auth/session-cookies.ts';
import { sessionRoutes } from './auth/session-routes.ts';
import { bulkBatchWorkflow } from './bulk-sms/bulk-batch-workflow.ts';
import { bulkSmsRoutes } from './bulk-sms/routes.ts';
import { campaignRoutes } from './campaigns/routes.ts';
import type { TrustedProxies } from './config.ts';
import { createBeginImport } from './contacts/begin-import.ts';
import { createConfirmVerification } from './contacts/confirm-verification.ts';
import { createRequestVerification } from './contacts/request-verification.ts';
import { contactRoutes } from './contacts/routes.ts';
import { createImportStarter } from './contacts/start-imports.ts';
import type { Database } from './database.ts';
import { createWorkflowCalls } from './dispatches/row-workflows.ts';
import { completeDispatches } from './dispatches/complete-dispatches.ts';
import { createDispatchStarter } from './dispatches/start-dispatches.ts';
import { createReceiveReport } from './gateway/receive-report.ts';
import { gatewayRoutes } from './gateway/routes.ts';
import { answerErrors } from './http/answer-errors.ts';
import { forbidStoring, setHeadersOfAll } from './http/answer-headers.ts';
import { checkHeaders } from './http/check-headers.ts';
import { findOperation, loadContract } from './http/contract.ts';
import { decodeBody } from './http/decode-body.ts';
import { docsRoutes } from './http/docs-routes.ts';
import { lowerCaseIds } from './http/lower-case-ids.ts';
import { readQuery } from './http/read-query.ts';
import { assignRequestId } from './http/request-id.ts';
import { validateRequests } from './http/validate-requests.ts';
import { readKeyHeader } from './idempotency/read-key-header.ts';
import { createReceiveInbound } from './inbound/receive-inbound.ts';
import { inboundRoutes } from './inbound/routes.ts';
import type { Log } from './log.ts';
import { messageRoutes } from './messages/routes.ts';
import { createSecretSealer, createTextSealer } from './messages/sealer.ts';
import { createSendMessage } from './messages/send-message.ts';
import type { NoticeListener } from './notice-listener.ts';
import type { NotificationFeed } from './notifications/notification-feed.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { phonebookRoutes } from './phonebooks/routes.ts';
import type { RequestCounter } from './rate-limits/count-requests.ts';
import { limitAccountRate, limitRate, type RateLimits } from './rate-limits/limit-rate.ts';
import { scheduleRoutes } from './schedules/routes.ts';
import { scheduleWorkflow } from './schedules/schedule-workflow.ts';
import { securityCodeRoutes } from './security-codes/routes.ts';
import { createSendSecurityCode } from './security-codes/send-security-code.ts';
import { createVerifySecurityCode } from './security-codes/verify-security-code.ts';
import { redriveRoutes } from './redrives/routes.ts';
import { createRedriveStarter } from './redrives/start-redrive.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { senderIdRoutes } from './sender-ids/routes.ts';
import type { EventStreams } from './streams/event-streams.ts';
import { suppressionRoutes } from './suppressions/routes.ts';
import { templateRoutes } from './templates/routes.ts';

export interface AppDependencies {
  database: Database;
  workflowClient: WorkflowClient;
  log: Log;
  baseUrl: string;
  gatewayToken: string;
  /** The key with which codes are hashed and their texts sealed. The worker has the same. */
  securityCodePepper: string;
  auth: Omit<AuthSettings, 'baseUrl'>;
  mailer: Mailer | null;
  webhookAllowedHosts: readonly string[];
  /** Counts requests across all processes: `createRequestCounter`. */
  requestCounter: RequestCounter;
  rateLimits: RateLimits;
  invitationLimits: InvitationLimits;
  organizationsPerUser: number;
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
  /** The time for messages and reports; the system clock by default. */
  now?: () => Date;
  /** Validates each response against openapi.yaml too; a deviation is a 500. Enabled in every test. */
  validateResponses?: boolean;
}

/**
 * Creates the API. Each request gets an id and is matched with its operation in openapi.yaml. Its caller is
 * authenticated and authorized as a principal. Its body is read and validated. Then the router of its feature responds.
 */
export function createApp(dependencies: AppDependencies): Express {
  const { database, workflowClient, log, baseUrl, gatewayToken, webhookAllowedHosts, recordKeyUse } =
    dependencies;
  const now = dependencies.now ?? (() => new Date());
  const contract = loadContract();
  const auth = createAuth({
    database,
    settings: { ...dependencies.auth, baseUrl },
    mailer: dependencies.mailer,
    log,
    now,
  });
  const refuseCrossSite = createCrossSiteCheck([
    new URL(baseUrl).origin,
    ...dependencies.auth.trustedOrigins,
  ]);
  const { secret } = dependencies.auth;
  const sessionCookies = createSessionCookies({ baseUrl, secret });
  const readSession = createSessionReader({ database, sessionCookies, refuseCrossSite, now });
  const apiKeys = createApiKeyLookup(database, dependencies.notices);
  const startMessages = createDispatchStarter({ database, workflowClient, kind: 'messages', log });
  const startWebhooks = createDispatchStarter({ database, workflowClient, kind: 'webhooks', log });
  const startCodes = createDispatchStarter({ database, workflowClient, kind: 'security-codes', log });
  const startInbound = createDispatchStarter({ database, workflowClient, kind: 'inbound', log });
  const completeCodeDispatches = (ids: string[]): void => {
    completeDispatches({ database, workflowClient, log }, 'security-codes', ids).catch((error: unknown) =>
      log.warn(
        { err: error },
        'dispatches were not notified that they are complete; their workflows will find out when they wake',
      ),
    );
  };
  const pepper = dependencies.securityCodePepper;

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', dependencies.trustProxy ?? false);
  app.use(assignRequestId(log));
  app.use(setHeadersOfAll(baseUrl));
  app.use(checkHeaders());
  app.use(docsRoutes(contract));
  app.use(findOperation(contract));
  app.use(forbidStoring());
  app.use(
    authenticate({ findApiKey: apiKeys.find, readSession, refuseCrossSite, gatewayToken, recordKeyUse }),
  );
  const { requestCounter, rateLimits } = dependencies;
  app.use(limitRate(requestCounter.count, rateLimits));
  app.use(readQuery());
  app.use(decodeBody(contract, dependencies.uploadStallMs));
  app.use(lowerCaseIds());
  app.use(readKeyHeader());
  app.use(validateRequests(contract, dependencies.validateResponses ?? false));
  app.use(limitAccountRate(requestCounter.count, rateLimits, secret));
  app.use(limitSignIn({ database, counter: requestCounter, limits: rateLimits, secret, now }));
  app.use(
    limitInvitations({
      count: requestCounter.count,
      limits: dependencies.invitationLimits,
      mailsGoOut: dependencies.mailer?.mailsGoOut ?? false,
      secret,
    }),
  );
  app.use(authorize());
  app.use(sessionRoutes({ database, sessionCookies, refuseCrossSite, now }));
  const { organizationsPerUser } = dependencies;
  const { trustedOrigins } = dependencies.auth;
  app.use(
    authRoutes({
      ...{ auth, database, baseUrl, sessionCookies, refuseCrossSite },
      ...{ trustedOrigins, organizationsPerUser, now },
    }),
  );
  app.get('/health', (_request, response) => void response.json({ status: 'ok' }));
  app.use(apiKeyRoutes({ database, apiKeys }));
  app.use(auditRoutes({ database }));
  app.use(organizationRoutes({ database, now }));
  app.use(templateRoutes({ database }));
  app.use(campaignRoutes({ database }));
  app.use(senderIdRoutes({ database, mailer: dependencies.mailer }));
  app.use(suppressionRoutes({ database }));
  const secretSealer = createSecretSealer(pepper);
  app.use(
    messageRoutes({
      database,
      sendMessage: createSendMessage({ database, startMessages, secretSealer, webhookAllowedHosts, now }),
      webhookAllowedHosts,
    }),
  );
  app.use(
    bulkSmsRoutes({
      database,
      workflows: createWorkflowCalls({ workflowClient, log }, bulkBatchWorkflow),
      streams: dependencies.streams,
      now,
    }),
  );
  const { streams, notificationFeed } = dependencies;
  app.use(notificationRoutes({ database, streams, notificationFeed, now }));
  app.use(
    scheduleRoutes({
      database,
      workflows: createWorkflowCalls({ workflowClient, log }, scheduleWorkflow),
      now,
    }),
  );
  app.use(webhookRoutes({ database, startWebhooks, now }));
  app.use(redriveRoutes({ database, startRedrive: createRedriveStarter({ workflowClient, log }), now }));
  const sendSecurityCode = createSendSecurityCode({
    ...{ database, pepper, sealer: createTextSealer(pepper), now },
    ...{ startMessages, startCodes, completeCodeDispatches },
  });
  const verifySecurityCode = createVerifySecurityCode({ database, pepper, completeCodeDispatches, now });
  app.use(securityCodeRoutes({ sendSecurityCode, verifySecurityCode }));
  app.use(
    contactRoutes({
      database,
      requestVerification: createRequestVerification(database, sendSecurityCode),
      confirmVerification: createConfirmVerification(database, verifySecurityCode),
      beginImport: createBeginImport({
        database,
        startImport: createImportStarter({ workflowClient, log }),
        now,
      }),
    }),
  );
  app.use(phonebookRoutes({ database }));
  app.use(inboundRoutes({ database, startInbound, now }));
  app.use(analyticsRoutes({ database, now }));
  app.use(
    gatewayRoutes({
      receiveInbound: createReceiveInbound({ database, startInbound, now }),
      receiveReport: createReceiveReport({
        database,
        startWebhooks,
        completeMessageDispatches: (ids) =>
          completeDispatches({ database, workflowClient, log }, 'messages', ids),
        log,
        now,
      }),
    }),
  );
  app.use(answerErrors(log, baseUrl, contract));
  return app;
}
