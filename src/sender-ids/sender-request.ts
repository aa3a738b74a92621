import type { Principal } from '../principal.ts';
import { findBrokenConstraint } from '../database.ts';
import { ApiError, type FieldError } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { testSender } from './permitted-sender.ts';
import { classifySender } from './sender-value.ts';

/**
 * Returns the columns to store for a new or resubmitted request. The request is pending, and the result of an earlier
 * review is removed.
 *
 * @throws ApiError invalid_request for a value that cannot be a sender, or is the built-in sender
 */
export function toPendingSender(principal: Principal, request: Schemas['SenderIdInput']) {
  const sender = classifySender(request.value);
  if (sender.kind === 'invalid') throw refuseValue(sender.code, sender.reason);
  // Recipients do not distinguish letter cases: a live message from `Test` would look like one of a test key.
  if (sender.value.toUpperCase() === testSender) {
    throw refuseValue(
      'reserved',
      `${testSender} is the built-in sender of test keys, which needs no approval`,
    );
  }
  return {
    value: sender.value,
    status: 'pending' as const,
    isDefault: false,
    useCase: request.useCase,
    sampleMessage: request.sampleMessage,
    website: request.website || null,
    reviewReason: null,
    reviewedAt: null,
    requestedByKind: principal.actor.kind,
    requestedById: principal.actor.id,
  };
}

function refuseValue(code: FieldError['code'], reason: string): ApiError {
  return new ApiError('invalid_request', `The value cannot be a sender: ${reason}.`, {
    errors: [{ path: '/body/value', code, message: reason }],
  });
}

/** Rethrows an error, as already_exists if the organization already has a request for the value in any letter case. */
export function refuseSecondRequest(error: unknown): never {
  const constraint = findBrokenConstraint(error);
  // In the same letter case it violates both constraints, and PostgreSQL may report either.
  if (constraint !== 'sender_ids_value_unique' && constraint !== 'sender_ids_any_case_unique') throw error;
  throw new ApiError(
    'already_exists',
    'The organization has already requested this sender, possibly in another letter case. See ' +
      'GET /api/v1/sender-ids. A rejected request can be resubmitted by PATCH; a pending one can be deleted.',
  );
}
