import { once } from 'node:events';
import { createServer } from 'node:http';
import { createKeyUseRecorder } from './api-keys/record-key-use.ts';
import { authSettings } from './auth/auth-settings.ts';
import { createMailer } from './auth/mails/mailer.ts';
import { createApp } from './app.ts';
import { loadApiConfig } from './config.ts';
import { openDatabase } from './open-database.ts';
import { answerParserErrors, serverOptions } from './http/requests/answer-parser-errors.ts';
import { stopServer } from './http/stop-server.ts';
import { createLog } from './log.ts';
import { createNoticeListener } from './notice-listener.ts';
import { createNotificationFeed } from './notifications/notification-feed.ts';
import { checkDatabaseAtStart, checkNamespaceAtStart } from './operations/check-start.ts';
import { measurePool } from './operations/measure-pool.ts';
import { checksOfApi } from './operations/readiness.ts';
import { serveOperations } from './operations/serve-operations.ts';
import { runUntilStopped } from './process.ts';
import { createRequestCounter } from './rate-limits/count-requests.ts';
import { createServices } from './services.ts';
import { startTracing } from './start-tracing.ts';
import { createEventStreams } from './streams/event-streams.ts';
import { createTemporalClient } from './temporal.ts';
import { temporalConnectionOf } from './temporal-connection.ts';

/**
 * Longer than a proxy's idle timeout, usually 60 s. Otherwise the proxy may reuse a connection that is just being
 * closed.
 */
const keepAliveTimeoutMs = 75_000;

/** How long requests may take after SIGTERM. Docker and Kubernetes kill a process after 10 and 30 seconds by default. */
const requestGraceMs = 8_000;

await runUntilStopped(async () => {
  const config = loadApiConfig();
  const log = createLog('api', config.LOG_LEVEL);
  const stopTracing = await startTracing('sms-api', config, log);
  const database = await openDatabase({ url: config.DATABASE_URL, poolSize: config.DATABASE_POOL_SIZE });
  await checkDatabaseAtStart(database);
  const temporal = createTemporalClient({
    ...temporalConnectionOf(config),
    namespace: config.TEMPORAL_NAMESPACE,
  });
  await checkNamespaceAtStart(temporal.workflow, config.TEMPORAL_ADDRESS);
  const mailer = createMailer({
    smtpUrl: config.SMTP_URL,
    from: config.MAIL_FROM,
    toLog: config.MAIL_TO_LOG,
    log,
  });
  if (!mailer) log.warn('SMTP_URL is not set: passwords cannot be reset and addresses cannot be confirmed');
  const keyUses = createKeyUseRecorder(database, log);
  const requests = createRequestCounter(database, log);
  const streams = createEventStreams({ database, log });
  const notices = createNoticeListener({ url: config.DATABASE_URL, log });
  const notificationFeed = createNotificationFeed({ database, notices, log });
  const app = createApp({
    ...createServices({
      database,
      workflowClient: temporal.workflow,
      log,
      securityCodePepper: config.SECURITY_CODE_PEPPER,
      previousSecurityCodePepper: config.SECURITY_CODE_PREVIOUS_PEPPER,
      sealingKeys: config.SEALING_KEYS,
      batchWaitMs: config.BATCH_WAIT_MS,
      outcomeWaitMs: config.OUTCOME_WAIT_MS,
      dispatchWaitMs: config.DISPATCH_WAIT_MS,
    }),
    baseUrl: config.BASE_URL,
    gatewayTokens: [config.GATEWAY_TOKEN, config.GATEWAY_PREVIOUS_TOKEN ?? []].flat(),
    authSettings: authSettings(config),
    mailer,
    webhookAllowedHosts: config.WEBHOOK_ALLOWED_HOSTS,
    recordKeyUse: keyUses.note,
    notices,
    streams,
    notificationFeed,
    requestCounter: requests,
    rateLimits: {
      caller: config.RATE_LIMIT_PER_MINUTE,
      organization: config.ORGANIZATION_RATE_LIMIT_PER_MINUTE,
      unauthenticated: config.AUTH_RATE_LIMIT_PER_MINUTE,
      account: config.ACCOUNT_RATE_LIMIT_PER_MINUTE,
      accountFromStrangers: config.ACCOUNT_STRANGERS_RATE_LIMIT_PER_MINUTE,
      mailsToAddressPerDay: config.MAILS_TO_ADDRESS_PER_DAY,
    },
    invitationLimits: {
      toAddress: config.INVITATIONS_TO_ADDRESS_PER_DAY,
      byPerson: config.INVITATIONS_BY_USER_PER_DAY,
    },
    organizationsPerUser: config.ORGANIZATIONS_PER_USER,
    temporalUi: { url: config.TEMPORAL_UI_URL ?? null, namespace: config.TEMPORAL_NAMESPACE },
    liveKeyDays: config.LIVE_KEY_DAYS,
    trustProxy: config.TRUST_PROXY,
  });
  const server = createServer({ ...serverOptions, keepAliveTimeout: keepAliveTimeoutMs }, app);
  answerParserErrors(server, config.BASE_URL);
  server.listen({ port: config.PORT, host: config.HOST, reusePort: config.REUSE_PORT });
  await once(server, 'listening');
  const operations = await serveOperations({
    host: config.METRICS_HOST,
    port: config.METRICS_PORT,
    checks: checksOfApi(database, temporal.workflow),
    measures: [measurePool(database)],
    log,
  });
  log.info({ baseUrl: config.BASE_URL }, 'the API is listening');
  return {
    stop: async () => {
      // Streams never end by themselves.
      streams.stop();
      const { cutConnections } = await stopServer(server, requestGraceMs);
      if (cutConnections > 0) log.warn({ cutConnections }, 'requests took too long and were cut');
      requests.stop();
      notificationFeed.stop();
      await notices.stop();
      await keyUses.stop();
      await mailer?.close();
      await operations.stop();
      await temporal.connection.close();
      await database.close();
      await stopTracing();
    },
  };
});
