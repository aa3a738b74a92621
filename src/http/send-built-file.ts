import { existsSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { NextFunction, Request, Response } from 'express';

/** The types of what the builds of the console and of the documentation write. */
const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The compressed copies that a build writes, the smallest first: the ending of the file, and its encoding. */
const encodings = [
  ['.br', 'br'],
  ['.gz', 'gzip'],
] as const;

/** The names of such files contain their hash, so browsers keep them for ever. */
export const forEver = 'public, max-age=31536000, immutable';

/** Whether `root` has the file, and its type is one that a build writes. */
export function hasBuiltFile(root: string, file: string): boolean {
  return contentTypes[extname(file)] !== undefined && existsSync(join(root, file));
}

/**
 * Sends a file that a build has written, as the smallest copy beside it that the browser can read. Nothing is compressed
 * while the process runs.
 *
 * @param file its path within `root`, for which `hasBuiltFile` is true
 */
export function sendBuiltFile(
  request: Request,
  response: Response,
  next: NextFunction,
  { root, file, cacheControl }: { root: string; file: string; cacheControl: string },
): void {
  const [ending, encoding] = encodings.find(
    ([end, name]) => request.acceptsEncodings(name) === name && existsSync(join(root, file + end)),
  ) ?? ['', ''];
  response.vary('Accept-Encoding');
  const headers = {
    'Content-Type': contentTypes[extname(file)],
    'Cache-Control': cacheControl,
    ETag: etagOf(join(root, file + ending), encoding),
    ...(encoding !== '' && { 'Content-Encoding': encoding }),
  };
  response.sendFile(join('/', file + ending), { root, cacheControl: false, headers }, (error) => {
    if (error && !response.headersSent) next();
  });
}

/** Two builds within a second have the same date, to which Last-Modified is exact. */
function etagOf(path: string, encoding: string): string {
  const { size, mtimeMs } = statSync(path);
  return `W/"${[size.toString(16), Math.trunc(mtimeMs).toString(16), encoding].filter(Boolean).join('-')}"`;
}
