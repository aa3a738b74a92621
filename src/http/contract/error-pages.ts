import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { errorCatalogue, isErrorCode, redirectErrors, titleOf, type ErrorCode } from '../../errors.ts';
import { builtSite } from '../serve-site.ts';

/**
 * Whether the documentation site is built. It explains each code more fully, with an example and the operations that
 * return it. A server that runs from a fresh clone has no site, and answers with pages of its own.
 */
function isSiteBuilt(): boolean {
  return existsSync(join(builtSite, 'errors/index.html'));
}

/** Answers `/errors`: all codes, and those of redirects, to which `?error=CODE` of a failed sign-in leads. */
export const showErrorIndex: RequestHandler = (request, response) => {
  const { error } = request.query;
  const { search } = new URL(request.originalUrl, 'http://localhost');
  const anchor = typeof error === 'string' && Object.hasOwn(redirectErrors, error) ? `#${error}` : '';
  if (isSiteBuilt()) response.redirect(`/docs/errors/${search}${anchor}`);
  else sendPage(response, 'Errors', indexContent());
};

/** Answers `/errors/{code}`, to which the `type` of every problem leads. An unknown code is a 404. */
export function showErrorPage(request: Request<{ code: string }>, response: Response, next: () => void) {
  const { code } = request.params;
  if (!isErrorCode(code)) next();
  else if (isSiteBuilt()) response.redirect(`/docs/errors/${code}`);
  else sendPage(response, titleOf(code), codeContent(code));
}

function codeContent(code: ErrorCode): string {
  const { status, meaning, happens, cure } = errorCatalogue[code];
  return `<p><code>${code}</code>, HTTP status ${status}</p>
<p>${html(meaning)}</p>
<h2>When it happens</h2><p>${html(happens)}</p>
<h2>What to do</h2><p>${html(cure)}</p>
<p><a href="/errors">All errors</a></p>`;
}

function indexContent(): string {
  const rows = Object.entries(errorCatalogue).map(
    ([code, { status, meaning }]) =>
      `<tr id="${code}"><td><a href="/errors/${code}"><code>${code}</code></a></td><td>${status}</td><td>${html(meaning)}</td></tr>`,
  );
  const redirectRows = Object.entries(redirectErrors).map(
    ([code, meaning]) => `<tr id="${code}"><td><code>${code}</code></td><td>${meaning}</td></tr>`,
  );
  return `<p>Every error is <code>application/problem+json</code> (RFC 9457) with one of these codes.</p>
<table><tr><th>code</th><th>status</th><th>what it means</th></tr>${rows.join('\n')}</table>
<h2>Errors in redirects</h2><p>If a sign-in at a provider or the link of a mail fails, the browser is redirected to an address with one of these codes in the query parameter <code>error</code>.</p>
<table><tr><th>error</th><th>what it means</th></tr>${redirectRows.join('\n')}</table>`;
}

function sendPage(response: Response, title: string, content: string): void {
  response.type('html').send(`<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title>
<style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem}td,th{padding:.3rem .8rem;text-align:left;vertical-align:top}tr:target{background:#fff3bf}</style>
<h1>${title}</h1>${content}</html>`);
}

/** Code spans are the only Markdown of the catalogue. */
function html(markdown: string): string {
  return markdown
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>');
}
