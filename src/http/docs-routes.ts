import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Router, type RequestHandler } from 'express';
import { stringify } from 'yaml';
import { errorCatalogue, redirectErrors } from '../errors.ts';
import type { Contract } from './contract.ts';

const require = createRequire(import.meta.url);
const swaggerUiManifest = require.resolve('swagger-ui-dist/package.json');
const { version: swaggerUiVersion } = require(swaggerUiManifest) as { version: string };

/** What of swagger-ui-dist the page loads; nothing else of the package is served. */
const swaggerUiFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** Below the version, so that a browser may keep the files for good: npm gives files of all versions one date. */
const swaggerUiPath = `/docs/swagger-ui-${swaggerUiVersion}`;

/**
 * The pages load from here only and talk to here only, whatever is written in openapi.yaml. Styles within the page
 * are Swagger UI's way (and the error page's); scripts are files.
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
 * The pages for people, open to anyone: the interface, as written and as a reference to read and try out, and the
 * catalogue that the `type` of each error names.
 */
export function docsRoutes(contract: Contract): Router {
  const router = Router();
  router.get('/', (_request, response) => response.redirect('/docs'));
  // Made when it is first asked for: most processes never are.
  let contractText: string | undefined;
  router.get('/openapi.yaml', secure, (_request, response) => {
    contractText ??= stringify(contract.document, { aliasDuplicateObjects: false });
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
<div id="reference">The API reference needs JavaScript. It is made of <a href="/openapi.yaml">openapi.yaml</a>.</div>
<script src="${swaggerUiPath}/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</html>
`;

/** validatorUrl: without it Swagger UI would offer the document to a validator on the Internet. */
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
<h2>In the address</h2><p>A sign-in at a provider, or the link of a mail, that fails ends at an address with one of these as <code>error</code>.</p>
<table><tr><th>error</th><th>what it means</th></tr>${redirectRows.join('\n')}</table></html>`;
}
