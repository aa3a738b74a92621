import { NIL, v7 as uuidv7 } from 'uuid';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Administrator } from '../auth/administrator.ts';
import type { Database } from '../database.ts';
import { ApiError, type FieldError } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { requireOrganization } from '../organizations/require-organization.ts';
import { attemptErrorCodes } from '../webhooks/attempts/attempt-errors.ts';
import { filterOf, toRedriveRecord, type RedriveRecord } from './redrive-record.ts';
import { Redrive, type RedriveKind } from './redrive.entity.ts';

type RedriveInput = Schemas['MessageRedriveInput'] | Schemas['DeliveryRedriveInput'];

/** The default limit, the same as in openapi.yaml. */
const defaultLimit = 1000;

/** How soon after the request the sweep starts a redrive that the API could not start. */
const firstWakeMs = 2000;

/**
 * Creates the function that handles the two requests: it stores a redrive with its audit event, and starts its
 * workflow. It does not wait for the start: if the start fails, the sweep finds the row.
 *
 * Errors: invalid_request, not_found for an unknown organization.
 */
export function createRequestRedrive(dependencies: {
  database: Database;
  startRedrive: (redrive: Redrive) => void;
  now: () => Date;
}): (administrator: Administrator, kind: RedriveKind, input: RedriveInput) => Promise<RedriveRecord> {
  const { database, startRedrive, now } = dependencies;
  return async (administrator, kind, input) => {
    const [createdFrom, createdTo] = [new Date(input.from), new Date(input.to)];
    refuseImpossible(kind, createdFrom, createdTo, input.errorCode);
    const { organizationId = null, errorCode = null, environment = null, limit = defaultLimit } = input;
    const redrive = await database.em.fork().transactional(async (em) => {
      if (organizationId !== null) await requireOrganization(em, organizationId);
      const createdAt = now();
      const stored = em.create(Redrive, {
        id: uuidv7(),
        kind,
        status: 'pending',
        createdFrom,
        createdTo,
        organizationId,
        errorCode,
        environment,
        maxRedriven: limit,
        // Before the first row of `from`: the nil UUID is less than any other.
        cursorAt: createdFrom,
        cursorId: NIL,
        matched: 0,
        redriven: 0,
        skipped: {},
        requestedBy: administrator.actor.id,
        createdAt,
        startedAt: null,
        endedAt: null,
        // By the real clock, like the sweep: it does not affect what the redrive selects.
        wakeAt: new Date(Date.now() + firstWakeMs),
      });
      recordAuditEvent(
        em,
        { ...administrator, organizationId },
        {
          action: `${kind}.redriven`,
          subjectId: stored.id,
          details: { filter: filterOf(stored), limit },
        },
      );
      return stored;
    });
    startRedrive(redrive);
    return toRedriveRecord(redrive);
  };
}

/** Refuses what the schema cannot refuse: an impossible time range, and an unknown error code of an attempt. */
function refuseImpossible(kind: RedriveKind, from: Date, to: Date, errorCode: string | undefined): void {
  if (from.getTime() < 0) refuse('/body/from', 'too_small', 'must not be before 1970');
  if (to <= from) refuse('/body/to', 'too_small', 'must be after from');
  if (kind !== 'webhook_deliveries' || errorCode === undefined || /^\d+$/.test(errorCode)) return;
  if (!attemptErrorCodes.some((code) => code === errorCode)) {
    const known = attemptErrorCodes.join(', ');
    refuse('/body/errorCode', 'not_allowed', `must be an HTTP status or one of ${known}`);
  }
}

function refuse(path: FieldError['path'], code: FieldError['code'], message: string): never {
  throw new ApiError(
    'invalid_request',
    `The filter cannot be used: ${path.slice('/body/'.length)} ${message}.`,
    {
      errors: [{ path, code, message }],
    },
  );
}
