import type { Response } from 'express';

/**
 * Sends the page to which the link of a mail leads. To look at it changes nothing, for mail scanners follow links; the
 * address is confirmed by its form, which works without a script. The token is in the address of the page: it leaves
 * for nowhere but there, neither by Referer nor by anything that the page loads.
 *
 * @param trustedOrigins where `callbackURL` may lead: browsers hold redirects after a form to `form-action` too
 */
export function sendConfirmationPage(
  response: Response,
  { token, callbackURL }: { token: string; callbackURL?: string },
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
