import type { Principal } from '../auth/principal.ts';
import { findBrokenConstraint } from '../database.ts';
import { ApiError } from '../errors.ts';
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
 * @throws ApiError invalid_request for a value that cannot be a sender
 */
export function toPending(principal: Principal, request: SenderRequest) {
  const sender = classifySender(request.value);
  if (sender.kind === 'invalid') {
    throw new ApiError('invalid_request', `The value cannot be a sender: ${sender.reason}.`, {
      errors: [{ path: '/body/value', code: sender.code, message: sender.reason }],
    });
  }
  return {
    value: sender.value,
    status: 'pending' as const,
    isDefault: false,
    useCase: request.useCase,
    sampleMessage: request.sampleMessage,
    website: request.website ?? null,
    reviewReason: null,
    reviewedAt: null,
    requestedByKind: principal.actor.kind,
    requestedById: principal.actor.id,
  };
}

/** Passes an error on, as already_exists where the organization has a request for the value already. */
export function refuseSecondRequest(error: unknown): never {
  if (findBrokenConstraint(error) !== 'sender_ids_value_unique') throw error;
  throw new ApiError(
    'already_exists',
    'The organization has asked for this sender already: see GET /api/v1/sender-ids. A rejected request is resubmitted by PATCH.',
  );
}
