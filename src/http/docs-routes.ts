import { readFileSync } from 'node:fs';
import { Router } from 'express';
import { errorCatalogue } from '../errors.ts';
import { contractFile } from './contract.ts';

/** The pages for people: the interface, as written, and the catalogue that the `type` of each error names. */
export function docsRoutes(): Router {
  const router = Router();
  const contractText = readFileSync(contractFile, 'utf8');
  router.get('/openapi.yaml', (_request, response) => void response.type('text/yaml').send(contractText));
  router.get('/errors', (_request, response) => void response.type('html').send(errorPage()));
  return router;
}

function errorPage(): string {
  const rows = Object.entries(errorCatalogue).map(
    ([code, [status, meaning]]) =>
      `<tr id="${code}"><td><code>${code}</code></td><td>${status}</td><td>${meaning.replace(/`([^`]+)`/g, '<code>$1</code>')}</td></tr>`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Errors</title>
<style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem}td,th{padding:.3rem .8rem;text-align:left;vertical-align:top}tr:target{background:#fff3bf}</style>
<h1>Errors</h1><p>Every error is <code>application/problem+json</code> (RFC 9457) with one of these codes.</p>
<table><tr><th>code</th><th>status</th><th>what it means</th></tr>${rows.join('\n')}</table></html>`;
}
