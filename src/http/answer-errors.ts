import type { ErrorRequestHandler, Response } from 'express';
import { error as validatorErrors } from 'express-openapi-validator';
import { isDatabaseUnreachable } from '../database.ts';
import { BatchQueueFull } from '../dispatches/natural-batching.ts';
import type { FieldErrorCode } from '../error-catalogue/field-errors.ts';
import { ApiError, errorCatalogue, titleOf, type FieldError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Contract } from './contract/contract.ts';
import { formatWords } from './contract/formats.ts';

/**
 * Turns a thrown error into problem+json (RFC 9457). An error that is not meant for the caller is logged with the
 * request's id and becomes a 500 without details. For a pattern or a format that does not match, the message uses words.
 */
export function answerErrors(
  log: Log,
  baseUrl: string,
  { patternWords }: Pick<Contract, 'patternWords'>,
): ErrorRequestHandler {
  return (thrown: unknown, request, response, next) => {
    if (response.headersSent) {
      next(thrown);
      return;
    }
    const error = toApiError(thrown, patternWords);
    if (error.status >= 500) log.error({ requestId: request.id, err: thrown }, error.code);
    sendProblem(response, error, request.id, baseUrl);
  };
}

function toApiError(thrown: unknown, patternWords: Map<string, string>): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isDatabaseUnreachable(thrown) || thrown instanceof BatchQueueFull) {
    return new ApiError('unavailable', errorCatalogue.unavailable.meaning, {
      headers: { 'Retry-After': '1' },
    });
  }
  if (thrown instanceof validatorErrors.BadRequest) {
    const errors = thrown.errors
      .slice(0, mostErrors + 1)
      .map((problem) => toFieldError(problem, patternWords));
    return new ApiError('invalid_request', 'The request breaks a rule of the interface; see errors.', {
      errors,
    });
  }
  if (thrown instanceof URIError) return new ApiError('not_found', 'Not found.');
  return new ApiError('internal_error', errorCatalogue.internal_error.meaning);
}

/** Stable codes for the keywords of JSON Schema. The validator names them `<keyword>.openapi.validation`. */
const fieldCodes: Record<string, FieldErrorCode> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  minLength: 'too_short',
  maxLength: 'too_long',
  minimum: 'too_small',
  maximum: 'too_large',
  maxProperties: 'too_many',
  minItems: 'too_few',
  minProperties: 'too_few',
  maxItems: 'too_many',
  type: 'wrong_type',
  // The validator's keyword in place of `type` where it also handles the format, such as date-time.
  'x-eov-type': 'wrong_type',
  enum: 'not_allowed',
  const: 'not_allowed',
  format: 'wrong_format',
  pattern: 'wrong_format',
};

function toFieldError(
  problem: { path: string; message: string; errorCode?: string },
  patternWords: Map<string, string>,
): FieldError {
  const { path, message, errorCode } = problem;
  if (errorCode === undefined) return toErrorWithoutKeyword(path, message);
  return {
    path,
    code: fieldCodes[errorCode.split('.')[0]!] ?? 'invalid',
    message: wordsOf(message, patternWords),
  };
}

function wordsOf(message: string, patternWords: Map<string, string>): string {
  const pattern = /^must match pattern "(.*)"$/.exec(message)?.[1];
  const format = /^must match format "(.*)"$/.exec(message)?.[1];
  return patternWords.get(pattern ?? '') ?? formatWords[format ?? ''] ?? message;
}

/** Errors that the validator finds before it applies JSON Schema have no code. Only their text identifies them. */
function toErrorWithoutKeyword(path: string, message: string): FieldError {
  if (message.startsWith('Unknown query parameter')) return { path, code: 'unknown_field', message };
  if (message.startsWith('Empty value found')) {
    // Only of a required parameter: read-query.ts leaves out an optional one without a value.
    return { path, code: 'too_short', message: 'must have a value' };
  }
  if (message.startsWith('malformed uri')) {
    return { path: '/path', code: 'wrong_format', message: 'must be percent-encoded UTF-8 (RFC 3986, 2.1)' };
  }
  return { path, code: 'invalid', message };
}

function sendProblem(response: Response, error: ApiError, requestId: string, baseUrl: string): void {
  response
    .status(error.status)
    .set(error.headers)
    .type('application/problem+json')
    .send(problemBody(error, requestId, baseUrl));
}

/**
 * The maximum number of errors in a response, and the maximum length of a path and a message in it: both may contain
 * the caller's input.
 */
const [mostErrors, mostPathCharacters, mostMessageCharacters] = [50, 200, 1000];

function limitErrors(errors: FieldError[]): FieldError[] {
  return errors.slice(0, mostErrors).map(({ path, code, message }) => ({
    path: shorten(path, mostPathCharacters),
    code,
    message: shorten(message, mostMessageCharacters),
  }));
}

function shorten(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters - 1).toWellFormed()}…` : text;
}

/** The JSON of an error: RFC 9457 with the code, the request's id, and the invalid fields. */
export function problemBody(error: ApiError, requestId: string, baseUrl: string): string {
  return JSON.stringify({
    type: `${baseUrl}/errors/${error.code}`,
    title: titleOf(error.code),
    status: error.status,
    detail:
      error.errors.length > mostErrors
        ? `${error.message} There are more than the ${mostErrors} errors listed here.`
        : error.message,
    code: error.code,
    requestId,
    ...(error.errors.length > 0 && { errors: limitErrors(error.errors) }),
  });
}
