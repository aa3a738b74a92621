import { isUtf8 } from 'node:buffer';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import express, { type Request, type RequestHandler } from 'express';
import multer from 'multer';
import qs from 'qs';
import { ApiError } from '../errors.ts';
import type { Contract, JsonSchema } from './contract.ts';

const mediaTypes = {
  json: 'application/json',
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

/** How deep a body may nest, in every encoding. */
const maxDepth = 20;

/** Fields a form may have: a phonebook of 100,000 contacts, one field each, is the largest there is. */
const maxFormFields = 100_100;

/** Fields called name[0], name[1], … that a form may have: each makes qs go through all of those before it. */
const maxNumberedFields = 1000;

/**
 * Reads the body in any of the three encodings into the same JSON value (contract section 1), so that all
 * that comes after, the validator first, knows one shape only.
 */
export function decodeBody(contract: Contract): RequestHandler {
  const readers = new Map<string, ReturnType<typeof createReaders>>();
  return (request, response, next) => {
    const { bodySchema, bodyRequired, bodyLimitBytes, fileLimitBytes } = request.operation;
    refuseWhatCannotBeKept(request.query, '/query');
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
type FormValue = string | FormValue[] | { [name: string]: FormValue };
type FormFields = Record<string, FormValue>;

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
    json: express.json({ type: () => true, limit: limitBytes, strict: true, verify }),
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
      if (file) {
        response.once('close', () => void rm(file.path, { force: true }));
        (request.body as FormFields)[fileField] = '';
      }
      next(error);
    });
  };
}

/** The one field in which a file may come. */
const fileField = 'file';

function fileTooLarge(limitBytes: number): ApiError {
  return new ApiError('payload_too_large', `The file may have ${limitBytes} bytes.`);
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

/**
 * Fields of one name are gathered before brackets are resolved: qs would copy the list anew for each field, and a
 * phonebook of 100,000 contacts, or a form made for it, would take a minute of nothing else.
 */
function parseBrackets(text: string): FormFields {
  const fields: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  const pairs = text.split('&').filter((pair) => pair !== '');
  if (pairs.length > maxFormFields) {
    throw new ApiError('payload_too_large', `The form may have ${maxFormFields} fields.`);
  }
  let numbered = 0;
  for (const pair of pairs) {
    const separator = pair.indexOf('=');
    const name = decodeText(separator < 0 ? pair : pair.slice(0, separator));
    const value = separator < 0 ? '' : decodeText(pair.slice(separator + 1));
    refuseProtoName(name);
    if (/\[\d+\]/.test(name) && (numbered += 1) > maxNumberedFields) {
      throw new ApiError(
        'malformed_body',
        `Write name[] for more than ${maxNumberedFields} items, not name[0].`,
      );
    }
    const before = fields[name];
    if (Array.isArray(before)) before.push(value);
    else fields[name] = before === undefined ? value : [before, value];
  }
  return qs.parse(fields as never, {
    depth: maxDepth,
    strictDepth: true,
    parameterLimit: maxFormFields,
    arrayLimit: maxFormFields,
    allowPrototypes: false,
    plainObjects: true,
    strictNullHandling: false,
  }) as FormFields;
}

/** What cannot be decoded is refused: left as it is, it would be sent as `%ff`. */
function decodeText(encoded: string): string {
  return decodeURIComponent(encoded.replaceAll('+', ' '));
}

/** Turns the strings of a form into what the schema says they are; what does not fit stays for the validator. */
function decodeForm(fields: FormFields, schema: JsonSchema, contract: Contract): unknown {
  const { properties = {} } = contract.resolve(schema);
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields ?? {})) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    body[name] = property ? decodeValue(value, property, contract) : value;
  }
  return body;
}

function decodeValue(value: FormValue, unresolved: JsonSchema, contract: Contract): unknown {
  const schema = contract.resolve(unresolved);
  const types = [schema.type ?? []].flat();
  if (types.includes('array')) {
    const items = typeof value === 'string' ? (parseJson(value, '[') ?? [value]) : value;
    if (!Array.isArray(items)) return items;
    return schema.items
      ? items.map((item) => decodeValue(item as FormValue, schema.items!, contract))
      : items;
  }
  if (types.includes('object')) {
    if (typeof value === 'string') return parseJson(value, '{') ?? value;
    if (Array.isArray(value) || !schema.properties) return value;
    return decodeForm(value, schema, contract);
  }
  if (typeof value !== 'string' || types.includes('string')) return value;
  if (types.includes('integer') && /^-?\d{1,15}$/.test(value)) return Number(value);
  if (types.includes('number') && /^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value);
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  if (types.includes('null') && value === '') return null;
  return value;
}

function parseJson(text: string, opening: '{' | '['): unknown {
  if (!text.trimStart().startsWith(opening)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A form parser drops it in silence, and in JSON it is never meant. */
function refuseProtoName(names: string, path = '/body'): void {
  if (!names.includes('__proto__')) return;
  throw new ApiError('invalid_request', 'No field can be called __proto__.', {
    errors: [{ path, code: 'unknown_field', message: 'must not be called __proto__' }],
  });
}

/**
 * Refuses what would not come back as it was sent: NUL and half a surrogate pair, which PostgreSQL does not
 * store, and numbers that JavaScript rounds.
 */
export function refuseWhatCannotBeKept(value: unknown, path = '/body', depth = 0): void {
  if (
    typeof value === 'number' &&
    (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
  ) {
    throw new ApiError('invalid_request', 'A number is too large to be kept exactly; send it as a string.', {
      errors: [{ path, code: 'not_exact', message: 'must be at most 9007199254740991, or a string' }],
    });
  }
  if (typeof value === 'string') {
    if (value.isWellFormed() && !value.includes('\0')) return;
    throw new ApiError('invalid_request', 'A string holds a character that cannot be stored.', {
      errors: [{ path, code: 'invalid_characters', message: 'must hold no NUL and no lone surrogate' }],
    });
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > maxDepth) {
    throw new ApiError('invalid_request', 'The body nests too deeply.', {
      errors: [{ path, code: 'too_deep', message: `must not nest deeper than ${maxDepth} levels` }],
    });
  }
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') refuseProtoName(key, path);
    refuseWhatCannotBeKept(key, path, depth + 1);
    refuseWhatCannotBeKept(inner, `${path}/${key}`, depth + 1);
  }
}

function bodyError(error: unknown, fileLimitBytes: number | null): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof multer.MulterError) {
    if (error.code === 'LIMIT_UNEXPECTED_FILE') {
      const detail =
        fileLimitBytes === null
          ? 'This endpoint takes no file.'
          : `This endpoint takes one file, in the field ${fileField}.`;
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
    return new ApiError('payload_too_large', 'The form has too many or too large fields.', { cause: error });
  }
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.verify.failed') return new ApiError('malformed_body', 'The body is not UTF-8.');
  if (type === 'entity.too.large') return new ApiError('payload_too_large', 'The body is too large.');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return new ApiError('unsupported_media_type', 'Send UTF-8, plain or with gzip, deflate or br.');
  }
  if (error instanceof RangeError) {
    return new ApiError('invalid_request', 'The body nests too deeply.', {
      errors: [{ path: '/body', code: 'too_deep', message: `must not nest deeper than ${maxDepth} levels` }],
    });
  }
  if (type === 'request.aborted') return new ApiError('malformed_body', 'The body broke off.');
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

/** busboy throws plain errors; all it can complain of is the body. */
function isMultipartError(error: unknown): boolean {
  return error instanceof Error && /multipart|boundary|form|header|part/i.test(error.message);
}
