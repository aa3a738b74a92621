import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Router, type RequestHandler } from 'express';
import { forEver, hasBuiltFile, sendBuiltFile } from '../http/send-built-file.ts';

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

/** Sends a file of assets/. Its name is one segment, so it cannot lead out of the folder. */
function sendAsset(assets: string): RequestHandler<{ file: string }> {
  return (request, response, next) => {
    const { file } = request.params;
    if (!/^[\w.-]+$/.test(file) || !hasBuiltFile(assets, file)) return next();
    sendBuiltFile(request, response, next, { root: assets, file, cacheControl: forEver });
  };
}

/** Sends the one page of the console, at every address but those of missing assets, which are a 404 of the API. */
function sendPage(directory: string): RequestHandler {
  return (request, response, next) => {
    if (request.path.startsWith('/console/assets/')) return next();
    if (!hasBuiltFile(directory, 'index.html')) {
      response.status(503).set('Cache-Control', 'no-cache').type('html').send(missingConsole);
      return;
    }
    sendBuiltFile(request, response, next, {
      root: directory,
      file: 'index.html',
      cacheControl: 'no-cache',
    });
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
