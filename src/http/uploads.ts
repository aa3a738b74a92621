import { randomUUID } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import type { Request, Response } from 'express';
import multer, { type StorageEngine } from 'multer';
import { ApiError } from '../errors.ts';
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

/**
 * Creates the function that counts an upload as in progress until its request is answered or the connection closes.
 * Error: unavailable, when the maximum number of uploads is in progress.
 */
export function createUploadCount(): (response: Response) => void {
  let underWay = 0;
  return (response) => {
    if (underWay >= maxUploads) {
      throw new ApiError('unavailable', 'The server cannot accept more uploads at the moment. Try again.', {
        headers: { 'Retry-After': '5' },
      });
    }
    if (response.closed) throw brokenOff();
    underWay += 1;
    response.once('close', () => (underWay -= 1));
  };
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
