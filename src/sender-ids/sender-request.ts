import type { Principal } from '../principal.ts';
import { findBrokenConstraint } from '../database.ts';
import { ApiError } from '../errors.ts';
import { testSender } from './permitted-sender.ts';
import { classifySender } from './sender-value.ts';

/** The body by which a sender ID is asked for, already held against openapi.yaml. */
export interface SenderRequest {
  value: string;
  useCase: string;
  sampleMessage: string;
  website?: string;
}

/**
 * What is stored of a request, a first or a repeated one: it waits for its review, and nothing of a review
 * before is left.
 *
 * @throws ApiError invalid_request for a value that cannot be a sender, or is the built-in one
 */
export function toPendingSender(principal: Principal, request: SenderRequest) {
  const sender = classifySender(request.value);
  if (sender.kind === 'invalid') throw refuseValue(sender.code, sender.reason);
  // Handsets tell no cases apart: as `Test`, too, a live message would pass for one of a test key.
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

function refuseValue(code: string, reason: string): ApiError {
  return new ApiError('invalid_request', `The value cannot be a sender: ${reason}.`, {
    errors: [{ path: '/body/value', code, message: reason }],
  });
}

/** Passes an error on, as already_exists where the organization has a request for the value, in any case, already. */
export function refuseSecondRequest(error: unknown): never {
  const constraint = findBrokenConstraint(error);
  // In the same case it breaks both, and either may be told of.
  if (constraint !== 'sender_ids_value_unique' && constraint !== 'sender_ids_any_case_unique') throw error;
  throw new ApiError(
    'already_exists',
    'The organization has asked for this sender already, if in other upper and lower case: see ' +
      'GET /api/v1/sender-ids. A rejected request is resubmitted by PATCH, one that waits can be deleted.',
  );
}
