import multer from 'multer';
import { ApiError } from '../../errors.ts';
import { tooManyValues } from './body-room.ts';
import type { Operation } from '../contract/contract.ts';
import { tooDeep } from '../storable-values.ts';

/** The only field that may contain a file. */
export const fileField = 'file';

/** The maximum number of fields in a form with a file. The form is streamed: each field may be as large as a body. */
export const maxFieldsBesideFile = 20;

/** The maximum length of the name of a field in a multipart form. */
export const maxNameBytes = 2000;

export function bodyTooLarge(limitBytes: number): ApiError {
  return new ApiError('payload_too_large', `The body must not exceed ${limitBytes} bytes.`);
}

export function fileTooLarge(limitBytes: number): ApiError {
  return new ApiError('payload_too_large', `The file must not exceed ${limitBytes} bytes.`);
}

/** The error for a caller that disconnects before the body is complete. */
export function brokenOff(): ApiError {
  return new ApiError('malformed_body', 'The connection closed before the body was complete.');
}

/** Turns an error of a body parser into an API error. An error that the body did not cause is returned unchanged. */
export function bodyError(error: unknown, { bodyRoom, bodyLimitBytes, fileLimitBytes }: Operation): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof multer.MulterError) {
    if (error.code === 'LIMIT_FIELD_COUNT' && fileLimitBytes === null) {
      return tooManyValues(bodyRoom!.formFields);
    }
    if (error.code === 'LIMIT_UNEXPECTED_FILE' && fileLimitBytes !== null && error.field === fileField) {
      return new ApiError('invalid_request', `This endpoint takes one file, in the field ${fileField}.`, {
        errors: [{ path: `/body/${fileField}`, code: 'too_many', message: 'must be one file' }],
      });
    }
    if (error.code === 'LIMIT_UNEXPECTED_FILE' || error.code === 'LIMIT_FILE_COUNT') {
      const detail =
        fileLimitBytes === null
          ? 'This endpoint does not accept files.'
          : `This endpoint accepts one file, in the field ${fileField}.`;
      return new ApiError('invalid_request', detail, {
        errors: [
          { path: `/body/${error.field ?? ''}`, code: 'unexpected_file', message: 'must not be a file' },
        ],
      });
    }
    if (error.code === 'LIMIT_FILE_SIZE' && fileLimitBytes !== null) return fileTooLarge(fileLimitBytes);
    if (error.code === 'MISSING_FIELD_NAME') {
      return new ApiError('malformed_body', 'A part of the form has no name.');
    }
    const limit = formLimits[error.code] ?? `A field of the form must not exceed ${bodyLimitBytes} bytes.`;
    return new ApiError('payload_too_large', limit, { cause: error });
  }
  const { type, status, code } = error as { type?: string; status?: number; code?: string };
  if (type === 'entity.too.large') return bodyTooLarge(bodyLimitBytes);
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return new ApiError('unsupported_media_type', 'Send UTF-8, plain or with gzip, deflate or br.');
  }
  if (code !== undefined && decompressionError.test(code)) {
    return new ApiError('malformed_body', 'The body is not compressed as Content-Encoding says.');
  }
  if (error instanceof RangeError) return tooDeep();
  if (
    status === 400 ||
    error instanceof SyntaxError ||
    error instanceof URIError ||
    isMultipartError(error)
  ) {
    return new ApiError('malformed_body', 'The body cannot be read in the encoding that Content-Type names.');
  }
  return error;
}

/** The limits of a form beside the size of a field, by the code of multer. */
const formLimits: Partial<Record<string, string>> = {
  LIMIT_FIELD_COUNT: `The form must not have more than ${maxFieldsBesideFile} fields.`,
  LIMIT_FIELD_KEY: `The name of a field must not exceed ${maxNameBytes} bytes.`,
};

/** The codes of node:zlib for gzip and deflate, and for br. */
const decompressionError = /^(Z_|ERR__ERROR_)/;

/** busboy throws plain errors, and only the body causes them. */
function isMultipartError(error: unknown): boolean {
  return error instanceof Error && /multipart|boundary|form|header|part/i.test(error.message);
}
