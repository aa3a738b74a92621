import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Router, type RequestHandler } from 'express';
import { stringify } from 'yaml';
import { serveSite } from '../serve-site.ts';
import type { Contract } from './contract.ts';
import { showErrorIndex, showErrorPage } from './error-pages.ts';

const require = createRequire(import.meta.url);
const swaggerUiManifest = require.resolve('swagger-ui-dist/package.json');
const { version: swaggerUiVersion } = require(swaggerUiManifest) as { version: string };

/** The files of swagger-ui-dist that the page loads. No other file of the package is served. */
const swaggerUiFiles = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** The path contains the version, so that browsers may cache the files forever: npm gives all versions one date. */
const swaggerUiPath = `/docs/api/swagger-ui-${swaggerUiVersion}`;

/**
 * The pages load resources from this origin and connect to this origin only, regardless of what openapi.yaml contains.
 * Swagger UI, the error page and the site use inline styles; scripts are files.
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
 * The public pages for people: the documentation site, the interface as a document and as an interactive reference, and
 * the error catalogue to which the `type` of each error points.
 */
export function docsRoutes(contract: Contract): Router {
  const router = Router();
  router.get('/', leadBrowsers);
  router.use('/docs', sendWhole);
  // Created at the first request: most processes never need it.
  let contractText: string | undefined;
  router.get('/openapi.yaml', secure, (_request, response) => {
    // Readers of YAML 1.1 take an unquoted timestamp for a date, and `on` for a boolean: `compat` quotes both.
    contractText ??= stringify(contract.document, { aliasDuplicateObjects: false, compat: 'yaml-1.1' });
    response.type('text/yaml').send(contractText);
  });
  router.get('/errors', secure, showErrorIndex);
  router.get('/errors/:code', secure, showErrorPage);
  router.get('/docs/api', secure, (_request, response) => void response.type('html').send(referencePage));
  router.get(
    '/docs/api/start.js',
    secure,
    (_request, response) => void response.type('js').send(startScript),
  );
  for (const file of swaggerUiFiles) {
    router.get(`${swaggerUiPath}/${file}`, secure, (_request, response) => {
      response.sendFile(file, { root: dirname(swaggerUiManifest), immutable: true, maxAge: '1y' });
    });
  }
  router.use('/docs', secure, serveSite());
  return router;
}

/** A person who opens the API in a browser is led to the console; a program gets the 404 of any unknown path. */
const leadBrowsers: RequestHandler = (request, response, next) => {
  response.vary('Accept');
  if (request.accepts(['json', 'html']) === 'html') response.redirect('/console/');
  else next();
};

/**
 * The files are small, and nobody changes them by HTTP, so a part of a file and a condition on its old state are not
 * offered (RFC 9110 lets a server ignore Range). `send` would fail with errors for which the catalogue has no code.
 */
const sendWhole: RequestHandler = ({ headers }, _response, next) => {
  delete headers.range;
  delete headers['if-match'];
  delete headers['if-unmodified-since'];
  next();
};

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
<p style="margin:1rem;font:16px/1.5 system-ui"><a href="/docs/">Documentation</a></p>
<div id="reference">The API reference needs JavaScript. Its source is <a href="/openapi.yaml">openapi.yaml</a>.</div>
<script src="${swaggerUiPath}/swagger-ui-bundle.js"></script>
<script src="/docs/api/start.js"></script>
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
