import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { Router, type RequestHandler } from 'express';
import { forEver, hasBuiltFile, sendBuiltFile } from './send-built-file.ts';

/** Written by `npm run docs`; the image contains it. */
export const builtSite = fileURLToPath(new URL('../../docs/.vitepress/dist', import.meta.url));

/**
 * Serves the documentation site, to be mounted at /docs. The names of files in assets/ contain their hash, so browsers
 * keep them for ever, and ask about all others by ETag. The site is looked for at each request, so it may be built, or
 * built anew, while the process runs.
 *
 * @param site the directory of the built site
 */
export function serveSite(site = builtSite): Router {
  const router = Router({ strict: true });
  router.get('/', redirectWithoutSlash);
  const files = express.static(site, {
    redirect: false,
    setHeaders: (response, path) => void response.set('Cache-Control', cacheControlOf(relative(site, path))),
  });
  router.get('/{*page}', serveTexts(site), files, (_request, response) => {
    if (!existsSync(join(site, 'index.html'))) {
      response.status(503).type('html').send(missingSite);
      return;
    }
    response.status(404).sendFile('404.html', { root: site, cacheControl: false });
  });
  return router;
}

/** @param file its path within the site */
function cacheControlOf(file: string): string {
  return file.startsWith('assets/') ? forEver : 'no-cache';
}

/** Serves the texts of the site. Pages are linked without their ending. */
function serveTexts(site: string): RequestHandler {
  return (request, response, next) => {
    const path = join('/', request.path);
    const names = path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`];
    const file = names.find((name) => hasBuiltFile(site, name));
    if (file === undefined) return next();
    sendBuiltFile(request, response, next, { root: site, file, cacheControl: cacheControlOf(file.slice(1)) });
  };
}

/** Links within the site are relative to /docs/. */
const redirectWithoutSlash: RequestHandler = (request, response, next) => {
  if (new URL(request.originalUrl, 'http://localhost').pathname.endsWith('/')) next();
  else response.redirect(308, `${request.baseUrl}/`);
};

const missingSite = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Documentation</title>
<h1>The documentation is not built</h1>
<p>Run <code>npm run docs</code> in the directory of the service. <code>npm start</code> does so by itself.</p>
<p>The <a href="/docs/api">API reference</a> needs no build.</p>
</html>
`;
