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

/** A file on disk that has no name: no other process can open it, and it is gone however this one ends. */
export interface Upload {
  sizeBytes: number;
  /** Hands the open file over to be read and closed; what nobody takes is closed once the request is answered. */
  take: () => FileHandle;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      /** The file of a multipart body; undefined: none came. */
      upload?: Upload;
    }
  }
}

/** Uploads that a process reads at a time; of the largest files, they take half a gigabyte of disk. */
export const maxUploads = 16;

/**
 * Makes the function that counts an upload as under way until its request is answered or breaks off. Error:
 * unavailable, when as many are under way as a process reads at a time.
 */
export function createUploadCount(): (response: Response) => void {
  let underWay = 0;
  return (response) => {
    if (underWay >= maxUploads) {
      throw new ApiError('unavailable', 'The server takes no more uploads at the moment. Try again.', {
        headers: { 'Retry-After': '5' },
      });
    }
    if (response.closed) throw brokenOff();
    underWay += 1;
    response.once('close', () => (underWay -= 1));
  };
}

/**
 * Where the parts of a multipart body go that are sent as files: the one in the field `file` onto disk as it comes,
 * where the endpoint takes one; every other into memory, for it is a field.
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
