import { validate } from 'uuid';
import { isDatabaseUnreachable, type Database } from '../database.ts';
import { createBatcher } from '../dispatches/natural-batching.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { notFound } from '../errors.ts';
import { toStorable } from '../http/storable-values.ts';
import type { Log } from '../log.ts';
import { advanceMessages, type Advance } from '../messages/advance-messages.ts';
import { classifyDeliveryReport } from './delivery-report.ts';

/** A delivery report as the gateway sends it; Kannel leaves what it does not know empty. */
export interface GatewayReport {
  messageId: string;
  status: string;
  smscId?: string;
  providerMessageId?: string;
}

/** Reports that one transaction applies at most. */
const reportsAtOnce = 500;

/**
 * Makes the use case of GET /api/v1/gateway/dlr: puts a report on its message's timeline and lets it change
 * what it may (contract section 3). It resolves after the commit; reports that come together are applied
 * together.
 *
 * Errors: not_found for a message that does not exist, which is counted in the log.
 */
export function createReceiveReport(dependencies: {
  database: Database;
  startWebhooks: (row: DispatchRow) => void;
  completeMessageDispatches: (dispatchIds: string[]) => Promise<void>;
  log: Log;
  now: () => Date;
}): (report: GatewayReport) => Promise<void> {
  const { database, startWebhooks, completeMessageDispatches, log, now } = dependencies;
  let unknownReports = 0;

  const apply = createBatcher<Advance, boolean>({
    maxItems: reportsAtOnce,
    run: async (advances) => {
      const { found, webhooks, dispatchesToComplete } = await advanceMessages(database, advances);
      webhooks.forEach(startWebhooks);
      completeMessageDispatches(dispatchesToComplete).catch((error: unknown) =>
        log.warn(
          { err: error },
          'dispatches were not told that they are settled; they find out by themselves',
        ),
      );
      return found;
    },
    isolateFailures: (error) => !isDatabaseUnreachable(error),
  });

  return async (report) => {
    const known = validate(report.messageId) && (await apply(toAdvance(report, now())));
    if (known) return;
    unknownReports += 1;
    log.warn({ unknownReports, smscId: report.smscId }, 'a report came for a message that does not exist');
    throw notFound();
  };
}

function toAdvance(given: GatewayReport, at: Date): Advance {
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
