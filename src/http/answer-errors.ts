import type { ErrorRequestHandler, Response } from 'express';
import { error as validatorErrors } from 'express-openapi-validator';
import { isDatabaseUnreachable } from '../database.ts';
import { BatchQueueFull } from '../dispatches/natural-batching.ts';
import { ApiError, errorCatalogue, type FieldError } from '../errors.ts';
import type { Log } from '../log.ts';

/**
 * Turns whatever was thrown into problem+json (RFC 9457). What is not meant for the caller is logged under
 * the request's id and answered as a bare 500.
 */
export function answerErrors(log: Log, baseUrl: string): ErrorRequestHandler {
  return (thrown: unknown, request, response, next) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const error = toApiError(thrown);
    if (error.status >= 500) log.error({ requestId: request.id, err: thrown }, error.code);
    sendProblem(response, error, request.id, baseUrl);
  };
}

function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isDatabaseUnreachable(thrown) || thrown instanceof BatchQueueFull) {
    return new ApiError('unavailable', errorCatalogue.unavailable[1], { headers: { 'Retry-After': '1' } });
  }
  if (thrown instanceof validatorErrors.BadRequest) {
    const errors = thrown.errors.map(toFieldError);
    return new ApiError('invalid_request', 'The request breaks a rule of the interface; see errors.', {
      errors,
    });
  }
  if (thrown instanceof URIError) return new ApiError('not_found', 'There is no such resource.');
  return new ApiError('internal_error', errorCatalogue.internal_error[1]);
}

/** Stable codes for the keywords of JSON Schema, which the validator names `<keyword>.openapi.validation`. */
const fieldCodes: Record<string, string> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'too_small',
  maximum: 'too_large',
  maxProperties: 'too_many',
  minItems: 'too_few',
  maxItems: 'too_many',
  type: 'wrong_type',
  enum: 'not_allowed',
  const: 'not_allowed',
  format: 'wrong_format',
  pattern: 'wrong_format',
};

function toFieldError(problem: { path: string; message: string; errorCode?: string }): FieldError {
  const keyword = problem.errorCode?.split('.')[0] ?? '';
  return {
    path: problem.path,
    code:
      fieldCodes[keyword] ?? (/unknown query parameter/i.test(problem.message) ? 'unknown_field' : 'invalid'),
    message: problem.message,
  };
}

function sendProblem(response: Response, error: ApiError, requestId: string, baseUrl: string): void {
  response
    .status(error.status)
    .set(error.headers)
    .type('application/problem+json')
    .send(problemBody(error, requestId, baseUrl));
}

/** The JSON of an error: RFC 9457 with our code, the request's id, and the fields that are wrong. */
export function problemBody(error: ApiError, requestId: string, baseUrl: string): string {
  const title = error.code.replaceAll('_', ' ').replace(/^./, (first) => first.toUpperCase());
  return JSON.stringify({
    type: `${baseUrl}/errors#${error.code}`,
    title,
    status: error.status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(error.errors.length > 0 && { errors: error.errors }),
  });
}
