import type { Span } from '@opentelemetry/api';
import { validate } from 'uuid';
import { isDatabaseUnreachable, sqlOf, type Database } from '../database.ts';
import { createBatcher, type Gathering } from '../dispatches/natural-batching.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { notFound } from '../errors.ts';
import type { Inputs } from '../http/contract/contract-types.ts';
import { toStorable } from '../http/storable-values.ts';
import type { Log } from '../log.ts';
import { readTraceparents } from '../messages/timeline/read-traceparents.ts';
import { updateStatuses, type StatusUpdate } from '../messages/update-statuses.ts';
import { metrics } from '../metrics.ts';
import { activeTraceparent, inSpan, linksTo } from '../tracing.ts';
import { classifyDeliveryReport } from './delivery-report.ts';

/** A delivery report as the gateway sends it. Kannel leaves unknown values empty. */
export type GatewayReport = Omit<Inputs['receiveDeliveryReport']['query'], 'token' | 'to'>;

/** A report, and the W3C `traceparent` of the gateway's request, if it is traced. */
type TracedUpdate = StatusUpdate & { requestedBy: string | undefined };

/** The maximum number of reports that one transaction applies. */
const reportsAtOnce = 500;

/**
 * Creates the function that handles GET /api/v1/gateway/dlr: it records a report on its message's timeline and applies
 * the status change that the report allows. It resolves after the commit. Concurrent reports are
 * applied together.
 *
 * Errors: not_found for a message that does not exist; the log contains the number of these.
 */
export function createReceiveReport(dependencies: {
  database: Database;
  startWebhooks: (row: DispatchRow) => void;
  completeMessageDispatches: (dispatchIds: string[]) => Promise<void>;
  log: Log;
  outcomeGathering: Gathering;
  now: () => Date;
}): (report: GatewayReport) => Promise<void> {
  const { database, startWebhooks, completeMessageDispatches, log, outcomeGathering, now } = dependencies;
  let unknownReports = 0;

  async function applyReports(updates: StatusUpdate[], span: Span | undefined): Promise<boolean[]> {
    const { found, webhooks, dispatchesToComplete } = await updateStatuses(database, updates);
    const messageIds = updates.map(({ messageId }) => messageId);
    const traceparents = await readTraceparents(sqlOf(database), messageIds);
    span?.addLinks(linksTo(traceparents.values()));
    for (const { id, organizationId, messageId } of webhooks)
      startWebhooks({ id, organizationId, traceparent: traceparents.get(messageId) });
    completeMessageDispatches(dispatchesToComplete).catch((error: unknown) =>
      log.warn(
        { err: error },
        'dispatches were not notified that they are complete; their workflows will find out when they wake',
      ),
    );
    return found;
  }

  const apply = createBatcher<TracedUpdate, boolean>({
    maxItems: reportsAtOnce,
    gathering: outcomeGathering,
    run: (updates) =>
      inSpan(
        'apply reports',
        { links: linksTo(updates.map(({ requestedBy }) => requestedBy)), parent: undefined },
        (span) => applyReports(updates, span),
      ),
    isolateFailures: (error) => !isDatabaseUnreachable(error),
  });

  return async (report) => {
    const known =
      validate(report.messageId) &&
      (await apply({ ...toUpdate(report, now()), requestedBy: activeTraceparent() }));
    metrics.reports.inc({ report: known ? classifyDeliveryReport(report.status) : 'unknown_message' });
    if (known) return;
    unknownReports += 1;
    log.warn(
      { unknownReports, smscId: report.smscId },
      'received a delivery report for a message that does not exist',
    );
    throw notFound();
  };
}

function toUpdate(given: GatewayReport, at: Date): StatusUpdate {
  const report = classifyDeliveryReport(given.status);
  const smscId = toStorable(given.smscId ?? '');
  const providerMessageId = toStorable(given.providerMessageId ?? '');
  return {
    messageId: given.messageId.toLowerCase(),
    at,
    transition: { kind: 'report', report, providerMessageId: providerMessageId || null },
    event: {
      kind: 'report_received',
      details: {
        report,
        value: toStorable(given.status),
        ...(smscId && { smscId }),
        ...(providerMessageId && { providerMessageId }),
      },
    },
  };
}
