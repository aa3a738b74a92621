import { randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import type { Request, Response } from 'express';
import multer, { type StorageEngine } from 'multer';
import { ApiError } from '../../errors.ts';
import { brokenOff, fileField } from './body-error.ts';

/** A file on disk without a name: no other process can open it, and it disappears however this process ends. */
export interface Upload {
  sizeBytes: number;
  /** Returns the open file; the caller reads and closes it. A file that is not taken is closed after the response. */
  take: () => FileHandle;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      /** The file of a multipart body; undefined if there is none. */
      upload?: Upload;
    }
  }
}

/** The number of uploads that a process reads at the same time. With the largest files, they use half a GB of disk. */
export const maxUploads = 16;

/** Of these, those of one organization that calls with keys, or of one person who calls with sessions. */
export const maxUploadsOfOne = maxUploads / 4;

/** After how long without a byte an upload is broken off. */
const defaultStallMs = 30_000;

const tryAgain = { headers: { 'Retry-After': '5' } };

/**
 * Makes the function that counts an upload as under way until its request is answered or breaks off; one that stalls
 * is broken off. Errors: rate_limited, when as many of the caller are under way as one may have; unavailable, when as
 * many are as a process reads at a time.
 */
export function createUploadCount(stallMs = defaultStallMs): (request: Request, response: Response) => void {
  const underWay = new Map<string, number>();
  return (request, response) => {
    const caller = callerOf(request);
    const ofCaller = underWay.get(caller) ?? 0;
    if (ofCaller >= maxUploadsOfOne) {
      throw new ApiError(
        'rate_limited',
        `At most ${maxUploadsOfOne} uploads at a time. Try again.`,
        tryAgain,
      );
    }
    const ofAll = [...underWay.values()].reduce((sum, count) => sum + count, 0);
    if (ofAll >= maxUploads) {
      throw new ApiError(
        'unavailable',
        'The server takes no more uploads at the moment. Try again.',
        tryAgain,
      );
    }
    if (response.closed) throw brokenOff();
    underWay.set(caller, ofCaller + 1);
    response.once('close', () => {
      const left = underWay.get(caller)! - 1;
      if (left > 0) underWay.set(caller, left);
      else underWay.delete(caller);
    });
    request.setTimeout(stallMs, () => request.destroy());
    // What is done with an upload may take longer.
    request.once('end', () => request.setTimeout(0));
  };
}

/** A session's organization may be named by the body only, so of a session it is the person. */
function callerOf({ apiKey, session }: Request): string {
  return apiKey ? `organization:${apiKey.organizationId}` : `user:${session?.userId}`;
}

/**
 * Stores the parts of a multipart body that are sent as files. If the endpoint accepts a file, the part in the field
 * `file` is streamed to disk. Every other part is a field and goes into memory.
 */
export function createStorage(takesFile: boolean, fieldLimitBytes: number): StorageEngine {
  const store = async (request: Request, file: Express.Multer.File): Promise<Partial<Express.Multer.File>> =>
    takesFile && file.fieldname === fileField
      ? storeOnDisk(request, file.stream)
      : readField(file.fieldname, file.stream, fieldLimitBytes);
  return { _handleFile: callbackify(store), _removeFile: (_request, _file, done) => done(null) };
}

async function readField(name: string, stream: Readable, limitBytes: number): Promise<{ buffer: Buffer }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if ((bytes += chunk.length) > limitBytes) throw new multer.MulterError('LIMIT_FIELD_VALUE', name);
    chunks.push(chunk);
  }
  return { buffer: Buffer.concat(chunks) };
}

async function storeOnDisk(request: Request, stream: Readable): Promise<{ size: number }> {
  const path = join(tmpdir(), `sms-upload-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await rm(path);
  let isTaken = false;
  const close = (): void => {
    if (!isTaken) void handle.close().catch(() => undefined);
  };
  const response = request.res!;
  if (response.closed) close();
  else response.once('close', close);
  await handle.writeFile(stream);
  const { size } = await handle.stat();
  const take = (): FileHandle => {
    isTaken = true;
    return handle;
  };
  request.upload = { sizeBytes: size, take };
  return { size };
}
