import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router, type RequestHandler } from 'express';

/** Written by `npm run build --workspace console`; the image contains it. */
const builtConsole = fileURLToPath(new URL('../../console/dist', import.meta.url));

/**
 * The console loads scripts, styles, fonts and data from this origin only, and no script or style is inline. Forms are
 * submitted by scripts. Browsers without Trusted Types ignore the last directive.
 */
const securityHeaders = {
  'Content-Security-Policy': [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `font-src 'self'`,
    `img-src 'self' data:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  // The address of the page for a new password contains its token.
  'Referrer-Policy': 'same-origin',
};

/** The types of the files that the build writes. A file with another ending is not served. */
const contentTypes: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/**
 * Serves the console at /console. The names of files in assets/ contain their hash, so browsers keep them for ever.
 * Every other address is a page of the console, whose script reads the address. The build is looked for at each
 * request, so it may be made, or made anew, while the process runs.
 *
 * @param directory the built console
 */
export function consoleRoutes(directory = builtConsole): Router {
  const router = Router({ strict: true });
  router.get('/console', (_request, response) => response.redirect(308, '/console/'));
  router.get('/console/assets/:file', secureAsset, sendAsset(join(directory, 'assets')));
  router.get('/console/{*page}', secure, sendPage(directory));
  return router;
}

/**
 * An asset needs no more than this: the policy of the page decides what the page may load. The headers of all assets
 * together would be a tenth of the first load.
 */
const secureAsset: RequestHandler = (_request, response, next) => {
  response.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  next();
};

const secure: RequestHandler = (_request, response, next) => {
  response.set(securityHeaders);
  next();
};

/** The compressed copies that the build writes, the smallest first: the ending of the file, and its encoding. */
const encodings = [
  ['.br', 'br'],
  ['.gz', 'gzip'],
] as const;

/** Sends a file of assets/, compressed if the build has written a copy that the browser can read. */
function sendAsset(assets: string): RequestHandler<{ file: string }> {
  return (request, response, next) => {
    const { file } = request.params;
    const contentType = contentTypes[extname(file)];
    if (contentType === undefined || !/^[\w.-]+$/.test(file) || !existsSync(join(assets, file)))
      return next();
    response.vary('Accept-Encoding');
    const copy = encodings.find(
      ([ending, name]) => request.acceptsEncodings(name) === name && existsSync(join(assets, file + ending)),
    );
    if (copy !== undefined) response.set('Content-Encoding', copy[1]);
    response.set('Content-Type', contentType);
    response.sendFile(file + (copy?.[0] ?? ''), { root: assets, immutable: true, maxAge: '1y' });
  };
}

/** Sends the one page of the console, at every address but those of missing assets, which are a 404 of the API. */
function sendPage(directory: string): RequestHandler {
  return (request, response, next) => {
    if (request.path.startsWith('/console/assets/')) return next();
    response.set('Cache-Control', 'no-cache');
    if (!existsSync(join(directory, 'index.html'))) {
      response.status(503).type('html').send(missingConsole);
      return;
    }
    response.sendFile('index.html', { root: directory, cacheControl: false });
  };
}

const missingConsole = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Console</title>
<h1>The console is not built</h1>
<p>Run <code>npm run build --workspace console</code> in the directory of the service. <code>npm start</code> does so by
itself.</p>
<p>The <a href="/docs/api">API</a> works without it.</p>
</html>
`;
