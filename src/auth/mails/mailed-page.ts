import type { Response } from 'express';

/**
 * Sends a page to which the link of a mail leads. Opening the page changes nothing, because mail scanners follow
 * links. Its form works without a script. The token is in the address of the page, and neither Referer nor anything
 * that the page loads reveals it to other sites.
 *
 * @param page.content HTML, in which `escapeHtml` has made every value harmless
 * @param page.formTargets the other origins to which the form may lead: browsers also apply `form-action` to a redirect
 * @param page.referrerPolicy `no-referrer` also makes the origin of the form `null`, which only an endpoint without the
 *   check of cross-site requests accepts
 */
export function sendMailedPage(
  response: Response,
  page: {
    title: string;
    content: string;
    formTargets: readonly string[];
    referrerPolicy: 'no-referrer' | 'same-origin';
  },
): void {
  const { title, content, formTargets, referrerPolicy } = page;
  response.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
      `default-src 'none'`,
      `base-uri 'none'`,
      ['form-action', `'self'`, ...formTargets].join(' '),
      `frame-ancestors 'none'`,
    ].join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': referrerPolicy,
    'X-Content-Type-Options': 'nosniff',
  });
  response.type('html').send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<h1>${title}</h1>
${content}
</html>
`);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
