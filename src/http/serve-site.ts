import { existsSync, statSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import express, { Router, type RequestHandler } from 'express';

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
    extensions: ['html'],
    redirect: false,
    setHeaders: (response, path) => void response.set('Cache-Control', cacheControlOf(relative(site, path))),
  });
  router.get('/{*page}', serveCompressed(site), files, (_request, response) => {
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
  return file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
}

/** The types of the texts of the site. */
const contentTypes: Record<string, string> = {
  ...{ '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.svg': 'image/svg+xml' },
  '.json': 'application/json',
};

/** Serves the `.gz` that the build writes beside a text, to those who take it. Without it, a page is five times as large. */
function serveCompressed(site: string): RequestHandler {
  return (request, response, next) => {
    response.vary('Accept-Encoding');
    const { path } = request;
    const names = path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`];
    const name = names.find((one) => existsSync(join(site, `${one}.gz`)));
    if (name === undefined || request.acceptsEncodings('gzip') !== 'gzip') {
      next();
      return;
    }
    const headers = {
      ETag: etagOf(join(site, `${name}.gz`)),
      ...{ 'Content-Encoding': 'gzip', 'Content-Type': `${contentTypes[extname(name)]}; charset=utf-8` },
      'Cache-Control': cacheControlOf(name.slice(1)),
    };
    response.sendFile(`.${name}.gz`, { root: site, cacheControl: false, headers }, (error) => {
      if (error && !response.headersSent) next();
    });
  };
}

/** Two builds within a second have the same date, to which Last-Modified is exact. */
function etagOf(file: string): string {
  const { size, mtimeMs } = statSync(file);
  return `W/"${size.toString(16)}-${Math.trunc(mtimeMs).toString(16)}-gzip"`;
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
