import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Router, type RequestHandler } from 'express';
import { stringify } from 'yaml';
import { errorCatalogue, redirectErrors } from '../../errors.ts';
import type { Contract } from './contract.ts';

const require = createRequire(import.meta.url);
const swaggerUiManifest = require.resolve('swagger-ui-dist/package.json');
const { version: swaggerUiVersion } = require(swaggerUiManifest) as { version: string };

/** The files of swagger-ui-dist that the page loads. No other file of the package is served. */
const swaggerUiFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** The path contains the version, so that browsers may cache the files forever: npm gives all versions one date. */
const swaggerUiPath = `/docs/swagger-ui-${swaggerUiVersion}`;

/**
 * The pages load resources from this origin and connect to this origin only, regardless of what openapi.yaml contains.
 * Swagger UI and the error page use inline styles; scripts are files.
 */
const securityHeaders = {
  'Content-Security-Policy': [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/**
 * The public pages for people: the interface as a document and as an interactive reference, and the error catalogue to
 * which the `type` of each error points.
 */
export function docsRoutes(contract: Contract): Router {
  const router = Router();
  router.get('/', (_request, response) => response.redirect('/docs'));
  // Created at the first request: most processes never need it.
  let contractText: string | undefined;
  router.get('/openapi.yaml', secure, (_request, response) => {
    // Readers of YAML 1.1 take an unquoted timestamp for a date, and `on` for a boolean: `compat` quotes both.
    contractText ??= stringify(contract.document, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
    response.type('text/yaml').send(contractText);
  });
  router.get('/errors', secure, (_request, response) => void response.type('html').send(errorPage()));
  router.get('/docs', secure, (_request, response) => void response.type('html').send(referencePage));
  router.get('/docs/start.js', secure, (_request, response) => void response.type('js').send(startScript));
  for (const file of swaggerUiFiles) {
    router.get(`${swaggerUiPath}/${file}`, secure, (_request, response) => {
      response.sendFile(file, { root: dirname(swaggerUiManifest), immutable: true, maxAge: '1y' });
    });
  }
  return router;
}

const secure: RequestHandler = (_request, response, next) => {
  response.set(securityHeaders);
  next();
};

const referencePage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" type="image/png" href="${swaggerUiPath}/favicon-32x32.png">
<link rel="stylesheet" href="${swaggerUiPath}/swagger-ui.css">
<div id="reference">The API reference needs JavaScript. Its source is <a href="/openapi.yaml">openapi.yaml</a>.</div>
<script src="${swaggerUiPath}/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</html>
`;

/** `validatorUrl: null` keeps Swagger UI from sending the document to a validator on the Internet. */
const startScript = `SwaggerUIBundle({
  url: '/openapi.yaml',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
`;

function errorPage(): string {
  const rows = Object.entries(errorCatalogue).map(
    ([code, [status, meaning]]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${meaning.replace(/`([^`]+)`/g, '<code>$1</code>')}</td></tr>`,
  );
  const redirectRows = Object.entries(redirectErrors).map(
    ([code, meaning]) => `<tr id="${code}"><td><code>${code}</code></td><td>${meaning}</td></tr>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Errors</title>
<style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem}td,th{padding:.3rem .8rem;text-align:left;vertical-align:top}tr:target{background:#fff3bf}</style>
<h1>Errors</h1><p>Every error is <code>application/problem+json</code> (RFC 9457) with one of these codes.</p>
<table><tr><th>code</th><th>status</th><th>what it means</th></tr>${rows.join('\n')}</table>
<h2>Errors in redirects</h2><p>If a sign-in at a provider or the link of a mail fails, the browser is redirected to an address with one of these codes in the query parameter <code>error</code>.</p>
<table><tr><th>error</th><th>what it means</th></tr>${redirectRows.join('\n')}</table></html>`;
}
