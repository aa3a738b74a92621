import { isUtf8 } from 'node:buffer';
import { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { callbackify } from 'node:util';
import express, { type Request, type RequestHandler, type Response } from 'express';
import multer from 'multer';
import { ApiError } from '../../errors.ts';
import {
  bodyError,
  bodyTooLarge,
  brokenOff,
  fileField,
  fileTooLarge,
  maxFieldsBesideFile,
  maxNameBytes,
} from './body-error.ts';
import { countJsonValues, refuseOversize, tooManyValues } from './body-room.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import type { JsonSchema } from '../contract/json-schema.ts';
import { decodeForm, splitForm } from './decode-form.ts';
import { dropAbsent } from './drop-absent.ts';
import type { Form, FormPair } from './form-names.ts';
import { isLarge, pauseAfter } from '../pause-after.ts';
import { createStorage, createUploadCount } from './uploads.ts';
import { refuseUnstorable } from '../storable-values.ts';

const mediaTypes = {
  json: 'application/json',
  urlencoded: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
} as const;

/**
 * Reads the body in any of the three encodings into the same JSON value. All later steps,
 * beginning with the validator, handle only one shape. A body that is larger than openapi.yaml allows is refused before
 * it is parsed. A large body is read in several turns of the event loop, so that other requests do not wait for it.
 *
 * @param uploadStallMs how long an upload may send nothing before it is ended; 30 seconds by default
 */
export function decodeBody(contract: Contract, uploadStallMs?: number): RequestHandler {
  const readers = new Map<Operation, Record<Encoding, BodyReader>>();
  const countUpload = createUploadCount(uploadStallMs);
  return async (request, response, next) => {
    const { operation } = request;
    const { bodySchema, bodyRequired } = operation;
    if (!bodySchema || (!bodyRequired && !hasBody(request))) {
      // The validator looks up the encoding that a request names, also where nothing is sent in it.
      delete request.headers['content-type'];
      next();
      return;
    }
    const encoding = encodingOf(request);
    if (encoding === 'multipart' && operation.fileLimitBytes !== null) countUpload(request, response);
    let reader = readers.get(operation);
    if (!reader) readers.set(operation, (reader = createReaders(operation, bodySchema, contract)));
    try {
      const { body, bytes } = await reader[encoding](request, response);
      await pauseAfter(bytes);
      if (isLarge(bytes)) refuseOversize(body, bodySchema, contract.resolve);
      dropAbsent(body, bodySchema, contract);
      refuseUnstorable(body);
      request.body = body;
      await pauseAfter(bytes);
    } catch (error) {
      throw request.readableAborted ? brokenOff() : bodyError(error, operation);
    }
    // From here on the body is JSON, in whichever encoding it was sent. The validator must see it as JSON.
    request.headers['content-type'] = mediaTypes.json;
    next();
  };
}

/** Returns the body as a JSON value, undefined if there is no body, and its length. */
type BodyReader = (request: Request, response: Response) => Promise<{ body: unknown; bytes: number }>;

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

/** Text in another charset would be stored differently from what was sent, so it is refused and never guessed. */
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

function createReaders(
  operation: Operation,
  schema: JsonSchema,
  contract: Contract,
): Record<Encoding, BodyReader> {
  const { values, formFields } = operation.bodyRoom!;
  const { properties = {} } = contract.resolve(schema);
  const readBytes = untilNext(express.raw({ type: () => true, limit: operation.bodyLimitBytes }));
  const readFields = createFormReader(operation, (name) => Object.hasOwn(properties, name));
  return {
    json: async (request, response) => {
      const text = await readText(request, response);
      if (text === undefined) return { body: undefined, bytes: 0 };
      const bytes = text.length;
      if (countJsonValues(text, values) > values) throw tooManyValues(values);
      await pauseAfter(bytes);
      // Any value is valid JSON (RFC 8259), including `null` and `"x"`. The validator reports the wrong type.
      return { body: bytes === 0 ? {} : (JSON.parse(text.toString()) as unknown), bytes };
    },
    urlencoded: async (request, response) => {
      const text = (await readText(request, response)) ?? Buffer.alloc(0);
      const form = await splitForm(text, formFields);
      return { body: await decodeForm(form, schema, contract, values), bytes: form.bytes };
    },
    multipart: async (request, response) => {
      const form = await readFields(request, response);
      await pauseAfter(form.bytes);
      return { body: await decodeForm(form, schema, contract, values), bytes: form.bytes };
    },
  };

  async function readText(request: Request, response: Response): Promise<Buffer | undefined> {
    await readBytes(request, response);
    const bytes = request.body as Buffer | undefined;
    if (!bytes) return undefined;
    refuseBrokenUtf8(bytes);
    await pauseAfter(bytes.length);
    return bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)
      ? bytes.subarray(byteOrderMark.length)
      : bytes;
  }
}

const byteOrderMark = Buffer.from('\ufeff');

/** Returns a promise that settles when the middleware calls `next`. */
function untilNext(handler: RequestHandler): (request: Request, response: Response) => Promise<void> {
  return (request, response) =>
    new Promise((resolve, reject) => {
      void handler(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
    });
}

/** The maximum size of the boundaries and headers of a form, in addition to its fields and its file. */
const formOverheadBytes = 64 * 1024;

/** Creates a reader of multipart bodies. All fields are text, including those sent as files. */
function createFormReader(
  { bodyLimitBytes, bodyRoom, fileLimitBytes }: Operation,
  isField: (name: string) => boolean,
): (request: Request, response: Response) => Promise<Form> {
  const takesFile = fileLimitBytes !== null;
  const fields = takesFile ? maxFieldsBesideFile : bodyRoom!.formFields;
  const parse = untilNext(
    multer({
      storage: createStorage(takesFile, bodyLimitBytes),
      fileFilter: (request, { fieldname }, done) => {
        const files = request.files as { fieldname: string }[];
        const isSecond =
          fieldname === fileField && files.filter((file) => file.fieldname === fileField).length > 1;
        if (isField(fieldname.split('[', 1)[0]!) && !isSecond) done(null, true);
        else done(new multer.MulterError('LIMIT_UNEXPECTED_FILE', fieldname));
      },
      limits: {
        fields,
        files: fields,
        fieldNameSize: maxNameBytes,
        fieldSize: bodyLimitBytes,
        fileSize: fileLimitBytes ?? bodyLimitBytes,
      },
      defParamCharset: 'utf8',
      streamHandler: (request: Request, parser: Writable) => {
        request.body = takePairs(parser);
        feedInTurns(request, parser);
      },
    } as multer.Options).any(),
  );
  return async (request, response) => {
    const announcedBytes = Number(request.headers['content-length'] ?? 0);
    if (takesFile) {
      if (announcedBytes > fileLimitBytes + bodyLimitBytes + formOverheadBytes)
        throw fileTooLarge(fileLimitBytes);
      await parse(request, response);
    } else {
      if (announcedBytes > bodyLimitBytes) throw bodyTooLarge(bodyLimitBytes);
      await withinLimit(request, bodyLimitBytes, () => parse(request, response));
    }
    const pairs = request.body as FormPair[];
    const bytes = takesFile ? 0 : announcedBytes || bodyLimitBytes;
    const files = request.files as { fieldname: string; buffer?: Buffer }[] | undefined;
    // multer passes a form on unread when its boundary cannot be used.
    if (!files) throw new ApiError('malformed_body', 'The Content-Type has no boundary that can be used.');
    for (const { fieldname, buffer } of files) {
      if (buffer) refuseBrokenUtf8(buffer);
      pairs.push([fieldname, buffer?.toString() ?? '']);
    }
    return { pairs, bytes };
  };
}

/**
 * Collects the fields of a multipart form as they are sent, in place of multer, which would resolve the brackets in
 * their names by rules of its own.
 */
function takePairs(parser: Writable): FormPair[] {
  const pairs: FormPair[] = [];
  parser.removeAllListeners('field');
  parser.on('field', (name: string | undefined, value: string, info: { valueTruncated: boolean }) => {
    const refuse = (code: multer.ErrorCode): boolean =>
      parser.emit('error', new multer.MulterError(code, name));
    if (name === undefined) refuse('MISSING_FIELD_NAME');
    else if (Buffer.byteLength(name) > maxNameBytes) refuse('LIMIT_FIELD_KEY');
    else if (info.valueTruncated) refuse('LIMIT_FIELD_VALUE');
    else pairs.push([unescapeName(name), value]);
  });
  return pairs;
}

/** Browsers escape these three characters in the names of a multipart form, and no others (WHATWG HTML, 4.10.21.8). */
function unescapeName(name: string): string {
  return name.replace(/%(?:0A|0D|22)/gi, decodeURIComponent);
}

const sliceBytes = 16 * 1024;

/**
 * Passes a form to its parser in slices, with other requests in between: a form with many parts of a few bytes each
 * takes long to parse.
 */
function feedInTurns(request: Request, parser: Writable): void {
  const feedThen = callbackify(feed);
  const feeder = new Writable({
    write: (chunk: Buffer, _encoding, done) => feedThen(chunk, done),
    // The parser emits its errors to its listeners. Without a listener, an error would end the process.
    final: (done) => {
      if (isListenedTo()) parser.end();
      done();
    },
  });
  request.pipe(feeder);

  async function feed(chunk: Buffer): Promise<void> {
    for (let start = 0; start < chunk.length && isListenedTo(); start += sliceBytes) {
      await new Promise((resolve) => parser.write(chunk.subarray(start, start + sliceBytes), resolve));
      if (chunk.length > sliceBytes) await nextTurn();
    }
  }

  /** A refused form is not parsed to its end: nothing listens for its parts any more. */
  function isListenedTo(): boolean {
    return parser.listenerCount('field') > 0;
  }
}

/** Stops reading a body of undeclared length when it exceeds the limit, and refuses a body that is not UTF-8. */
async function withinLimit(request: Request, limitBytes: number, read: () => Promise<void>): Promise<void> {
  const chunks: Buffer[] = [];
  const tooLong = new Promise<never>((_resolve, reject) => {
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= limitBytes) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      request.unpipe();
      request.resume();
      reject(bodyTooLarge(limitBytes));
    });
  });
  await Promise.race([read(), tooLong]);
  refuseBrokenUtf8(Buffer.concat(chunks));
}
