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

/** Fields a form may have: a phonebook of 100,000 contacts, one field each, is the largest there is. */
const maxFormFields = 100_100;

/**
 * Reads the body in any of the three encodings into the same JSON value (contract section 1), so that all
 * that comes after, the validator first, knows one shape only.
 */
export function decodeBody(contract: Contract): RequestHandler {
  const readers = new Map<number, ReturnType<typeof createReaders>>();
  return (request, response, next) => {
    const { bodySchema, bodyLimitBytes } = request.operation;
    if (!bodySchema) {
      next();
      return;
    }
    let reader = readers.get(bodyLimitBytes);
    if (!reader) readers.set(bodyLimitBytes, (reader = createReaders(bodyLimitBytes)));
    const encoding = encodingOf(request);
    reader[encoding](request, response, (error?: unknown) => {
      if (error) {
        next(bodyError(error));
        return;
      }
      try {
        if (encoding !== 'json') request.body = decodeForm(request.body as FormFields, bodySchema, contract);
        refuseUnstorableStrings(request.body);
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
    if (mediaType === name) return encoding as Encoding;
  }
  const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
  if (!mediaType && !hasBody) {
    throw new ApiError('invalid_request', 'A body is required.', {
      errors: [{ path: '/body', code: 'required', message: 'a body is required' }],
    });
  }
  throw new ApiError(
    'unsupported_media_type',
    `Send one of ${Object.values(mediaTypes).join(', ')}.`,
  );
}

function createReaders(limitBytes: number): Record<Encoding, RequestHandler> {
  const readText = express.text({ type: () => true, limit: limitBytes, defaultCharset: 'utf-8' });
  const multipart = multer({
    limits: { fieldSize: limitBytes, fields: maxFormFields, fieldNameSize: 200, parts: maxFormFields },
  }).none();
  return {
    json: express.json({ type: () => true, limit: limitBytes, strict: true }),
    // Express's own urlencoded parser gives no say in how deep and how wide brackets may nest.
    urlencoded: (request, response, next) =>
      readText(request, response, (error?: unknown) => {
        if (!error) request.body = parseBrackets(typeof request.body === 'string' ? request.body : '');
        next(error);
      }),
    multipart: (request, response, next) => {
      if (Number(request.headers['content-length'] ?? 0) > limitBytes) {
        next(new ApiError('payload_too_large', `The body may have ${limitBytes} bytes.`));
        return;
      }
      stopAt(request, limitBytes, next, (once) => multipart(request, response, once));
    },
  };
}

/** Ends the reading of a body that does not say how long it is once it is longer than allowed. */
function stopAt(
  request: Request,
  limitBytes: number,
  next: (error?: unknown) => void,
  read: (done: (error?: unknown) => void) => void,
): void {
  let ended = false;
  const done = (error?: unknown): void => {
    if (ended) return;
    ended = true;
    next(error);
  };
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= limitBytes || ended) return;
    request.unpipe();
    request.resume();
    done(new ApiError('payload_too_large', `The body may have ${limitBytes} bytes.`));
  });
  read(done);
}

function parseBrackets(text: string): FormFields {
  return qs.parse(text, {
    depth: 5,
    parameterLimit: maxFormFields,
    arrayLimit: maxFormFields,
    allowPrototypes: false,
    plainObjects: true,
    strictNullHandling: false,
  }) as FormFields;
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
    return schema.items ? items.map((item) => decodeValue(item as FormValue, schema.items!, contract)) : items;
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

/** PostgreSQL stores neither NUL nor half a surrogate pair; JSON can say both. */
function refuseUnstorableStrings(value: unknown, path = '/body', depth = 0): void {
  if (typeof value === 'string') {
    if (value.isWellFormed() && !value.includes('\0')) return;
    throw new ApiError('invalid_request', 'A string holds a character that cannot be stored.', {
      errors: [{ path, code: 'invalid_characters', message: 'must hold no NUL and no lone surrogate' }],
    });
  }
  if (typeof value !== 'object' || value === null) return;
  if (depth > 20) {
    throw new ApiError('invalid_request', 'The body nests too deeply.', {
      errors: [{ path, code: 'too_deep', message: 'must not nest deeper than 20 levels' }],
    });
  }
  for (const [key, inner] of Object.entries(value)) {
    refuseUnstorableStrings(key, path, depth + 1);
    refuseUnstorableStrings(inner, `${path}/${key}`, depth + 1);
  }
}

function bodyError(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof multer.MulterError) {
    if (error.code === 'LIMIT_UNEXPECTED_FILE') {
      return new ApiError('invalid_request', 'This endpoint takes no file.', {
        errors: [{ path: `/body/${error.field ?? ''}`, code: 'unexpected_file', message: 'must not be a file' }],
      });
    }
    return new ApiError('payload_too_large', 'The form has too many or too large fields.', { cause: error });
  }
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return new ApiError('payload_too_large', 'The body is too large.');
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') {
    return new ApiError('unsupported_media_type', 'Send UTF-8, plain or with gzip, deflate or br.');
  }
  if (type === 'request.aborted') return new ApiError('malformed_body', 'The body broke off.');
  if (status === 400 || error instanceof SyntaxError || isMultipartError(error)) {
    return new ApiError('malformed_body', 'The body cannot be read in the encoding that Content-Type names.');
  }
  return error;
}

/** busboy throws plain errors; all it can complain of is the body. */
function isMultipartError(error: unknown): boolean {
  return error instanceof Error && /multipart|boundary|form|header|part/i.test(error.message);
}
