import { sql } from 'kysely';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { ApiError, notFound } from '../errors.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import {
  selectInboundMessages,
  toInboundMessageRecord,
  type InboundMessageRecord,
} from './inbound-message-record.ts';
import { InboundMessage, type InboundStatus } from './inbound-message.entity.ts';

/** Why a message in each other status is not redriven. */
const nextStepByStatus: Record<Exclude<InboundStatus, 'failed'>, string> = {
  received: 'is processed automatically',
  processing: 'is being processed',
  processed: 'needs no further action',
  unmatched: 'matched no rule; create a rule for future messages',
};

/**
 * Creates the function that processes a failed message once more, by the current rules. One statement checks the status
 * and sets it back to `received`, so only one of two concurrent redrives takes effect. A failed message has no reply,
 * and a constraint prevents a second reply. Errors: not_found, invalid_state.
 */
export function createRedriveInboundMessage(dependencies: {
  database: Database;
  startInbound: (row: DispatchRow) => void;
  now: () => Date;
}): (principal: Principal, id: string) => Promise<InboundMessageRecord> {
  const { database, startInbound, now } = dependencies;
  return async (principal, id) => {
    const { organizationId } = principal;
    const record = await asTenant(database, principal, async (em) => {
      const redriven = await em.nativeUpdate(
        InboundMessage,
        // An inbound message whose text was discarded has nothing to process.
        { id, status: 'failed', sender: { $re: '^[^*]*$' } },
        {
          status: 'received',
          dispatchId: null,
          dueAt: now(),
          attempts: 0,
          processedAt: null,
          matched: null,
          keyword: null,
          errorCode: null,
          errorMessage: null,
        },
      );
      const condition = sql`inbound.id = ${id} and inbound.organization_id = ${organizationId}`;
      const { rows } = await selectInboundMessages(condition, { limit: 1 }).execute(em.getKysely());
      if (!rows[0]) throw notFound();
      if (redriven === 0) throw notFailed(rows[0].status);
      recordAuditEvent(em, principal, { action: 'inbound_message.redriven', subjectId: id });
      return toInboundMessageRecord(rows[0]);
    });
    startInbound({ id, organizationId });
    return record;
  };
}

function notFailed(status: InboundStatus): ApiError {
  const nextStep =
    status === 'failed' ? 'has just changed, or its text was discarded' : nextStepByStatus[status];
  return new ApiError(
    'invalid_state',
    `The message is ${status}, and only a failed one can be redriven: this one ${nextStep}.`,
  );
}
