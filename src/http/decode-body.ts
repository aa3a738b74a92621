import { isUtf8 } from 'node:buffer';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import express, { type Request, type RequestHandler } from 'express';
import multer from 'multer';
import { ApiError } from '../errors.ts';
import { bodyError, fileField, fileTooLarge } from './body-error.ts';
import type { Contract } from './contract.ts';
import { decodeForm, maxFormFields, parseBrackets, type FormFields } from './decode-form.ts';
import { refuseBrokenQuery, refuseWhatCannotBeKept } from './what-can-be-kept.ts';

const mediaTypes = {
  json: 'application/json',
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

/**
 * Reads the body in any of the three encodings into the same JSON value (contract section 1), so that all
 * that comes after, the validator first, knows one shape only.
 */
export function decodeBody(contract: Contract): RequestHandler {
  const readers = new Map<string, ReturnType<typeof createReaders>>();
  return (request, response, next) => {
    const { bodySchema, bodyRequired, bodyLimitBytes, fileLimitBytes } = request.operation;
    if (!request.operation.replacesUnstorable) {
      refuseBrokenQuery(request.url);
      refuseWhatCannotBeKept(request.query, '/query');
    }
    if (!bodySchema || (!bodyRequired && !hasBody(request))) {
      next();
      return;
    }
    const limits = `${bodyLimitBytes} ${fileLimitBytes}`;
    let reader = readers.get(limits);
    if (!reader) readers.set(limits, (reader = createReaders(bodyLimitBytes, fileLimitBytes)));
    const encoding = encodingOf(request);
    reader[encoding](request, response, (error?: unknown) => {
      if (error) {
        next(bodyError(error, fileLimitBytes));
        return;
      }
      try {
        if (encoding !== 'json') request.body = decodeForm(request.body as FormFields, bodySchema, contract);
        refuseWhatCannotBeKept(request.body);
        // From here on the body is JSON whatever it came as, and the validator is to see it so.
        request.headers['content-type'] = mediaTypes.json;
        next();
      } catch (problem) {
        next(problem);
      }
    });
  };
}

type Encoding = keyof typeof mediaTypes;
function encodingOf(request: Request): Encoding {
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  for (const [encoding, name] of Object.entries(mediaTypes)) {
    if (mediaType !== name) continue;
    refuseOtherCharsets(request, encoding as Encoding);
    return encoding as Encoding;
  }
  if (!mediaType && !hasBody(request)) {
    throw new ApiError('invalid_request', 'A body is required.', {
      errors: [{ path: '/body', code: 'required', message: 'a body is required' }],
    });
  }
  throw new ApiError('unsupported_media_type', `Send one of ${Object.values(mediaTypes).join(', ')}.`);
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** What is not UTF-8 would be stored as something else than was sent, so it is refused, never guessed. */
function refuseOtherCharsets(request: Request, encoding: Encoding): void {
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1];
  const compressed = !/^(identity)?$/i.test(request.headers['content-encoding'] ?? '');
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) {
    throw new ApiError('unsupported_media_type', 'Send UTF-8.');
  }
  if (encoding === 'multipart' && compressed) {
    throw new ApiError('unsupported_media_type', 'Send multipart/form-data without Content-Encoding.');
  }
}

function refuseBrokenUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw new ApiError('malformed_body', 'The body is not UTF-8.');
}

function createReaders(limitBytes: number, fileLimitBytes: number | null): Record<Encoding, RequestHandler> {
  const verify = (_request: unknown, _response: unknown, bytes: Buffer): void => refuseBrokenUtf8(bytes);
  const readText = express.text({ type: () => true, limit: limitBytes, defaultCharset: 'utf-8', verify });
  const multipart = multer({
    limits: { fieldSize: limitBytes, fields: maxFormFields, fieldNameSize: 2000, parts: maxFormFields },
  }).none();
  const multipartWithFile = fileLimitBytes === null ? null : createFileReader(limitBytes, fileLimitBytes);
  return {
    // Not strict: `null` and `"x"` are JSON (RFC 8259), only of the wrong type, which the validator says.
    json: express.json({ type: () => true, limit: limitBytes, strict: false, verify }),
    // Express's own urlencoded parser gives no say in how deep and how wide brackets may nest.
    urlencoded: (request, response, next) =>
      readText(request, response, (error?: unknown) => {
        if (error) return next(error);
        try {
          request.body = parseBrackets(typeof request.body === 'string' ? request.body : '');
          next();
        } catch (problem) {
          next(problem);
        }
      }),
    multipart: (request, response, next) => {
      if (multipartWithFile) {
        multipartWithFile(request, response, next);
        return;
      }
      if (Number(request.headers['content-length'] ?? 0) > limitBytes) {
        next(new ApiError('payload_too_large', `The body may have ${limitBytes} bytes.`));
        return;
      }
      stopAt(request, limitBytes, next, (once) => multipart(request, response, once));
    },
  };
}

/** What the boundaries and headers of a form take at most, beside the fields and the file in it. */
const formOverheadBytes = 64 * 1024;

/**
 * Reads a form with a file in its field `file`, onto disk as it comes; it is gone once the request is answered. In the
 * body its field is an empty text, and `request.file` says where it is.
 */
function createFileReader(limitBytes: number, fileLimitBytes: number): RequestHandler {
  const multipart = multer({
    dest: tmpdir(),
    limits: { files: 1, fileSize: fileLimitBytes, fieldSize: limitBytes, fields: 20, fieldNameSize: 2000 },
  }).single(fileField);
  return (request, response, next) => {
    const mostBytes = fileLimitBytes + limitBytes + formOverheadBytes;
    if (Number(request.headers['content-length'] ?? 0) > mostBytes) {
      next(fileTooLarge(fileLimitBytes));
      return;
    }
    multipart(request, response, (error?: unknown) => {
      const { file } = request;
      // Of a form that is refused once its file has begun, multer leaves a file without a path, and has removed it.
      const path: string | undefined = file?.path;
      if (path !== undefined) {
        response.once('close', () => void removeFile(path));
        (request.body as FormFields)[fileField] = '';
      }
      next(error);
    });
  };
}

async function removeFile(path: string): Promise<void> {
  try {
    await rm(path, { force: true });
  } catch {
    // It stays in the directory for temporary files: nothing to end the process for, as a rejection would.
  }
}

/** Ends the reading of a body that does not say how long it is once it is longer than allowed, and refuses one that is not UTF-8. */
function stopAt(
  request: Request,
  limitBytes: number,
  next: (error?: unknown) => void,
  read: (done: (error?: unknown) => void) => void,
): void {
  let ended = false;
  const chunks: Buffer[] = [];
  const done = (error?: unknown): void => {
    if (ended) return;
    ended = true;
    const broken = !error && !isUtf8(Buffer.concat(chunks));
    next(broken ? new ApiError('malformed_body', 'The body is not UTF-8.') : error);
  };
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (!ended) chunks.push(chunk);
    if (bytes <= limitBytes || ended) return;
    request.unpipe();
    request.resume();
    done(new ApiError('payload_too_large', `The body may have ${limitBytes} bytes.`));
  });
  read(done);
}
