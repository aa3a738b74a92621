import type { Response } from 'express';
import type { Inputs } from '../http/contract-types.ts';

/**
 * Sends the page to which the link of a mail leads. Opening the page changes nothing, because mail scanners follow
 * links. Its form confirms the address and works without a script. The token is in the address of the page, and neither
 * Referer nor anything that the page loads reveals it to other sites.
 *
 * @param trustedOrigins the origins that `callbackURL` may have: browsers also apply `form-action` to the redirect
 */
export function sendConfirmationPage(
  response: Response,
  { token, callbackURL }: Inputs['openEmailVerification']['query'],
  trustedOrigins: readonly string[],
): void {
  response.set({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
      `default-src 'none'`,
      `base-uri 'none'`,
      ['form-action', `'self'`, ...trustedOrigins].join(' '),
      `frame-ancestors 'none'`,
    ].join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  });
  response.type('html').send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Confirm your e-mail address</title>
<h1>Confirm your e-mail address</h1>
<form method="post" action="/api/auth/verify-email">
<input type="hidden" name="token" value="${escapeHtml(token)}">
${callbackURL ? `<input type="hidden" name="callbackURL" value="${escapeHtml(callbackURL)}">` : ''}
<p>If you signed up with this address, confirm that it is yours. If you did not, close this page.</p>
<p><button type="submit">Confirm</button></p>
</form>
</html>
`);
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);
}
