import type { Response } from 'express';
import type { Inputs } from '../../http/contract/contract-types.ts';
import { escapeHtml, sendMailedPage } from './mailed-page.ts';

/**
 * Sends the page whose form confirms an e-mail address.
 *
 * @param trustedOrigins the origins that `callbackURL` may have
 */
export function sendConfirmationPage(
  response: Response,
  { token, callbackURL }: Inputs['openEmailVerification']['query'],
  trustedOrigins: readonly string[],
): void {
  sendMailedPage(response, {
    title: 'Confirm your e-mail address',
    formTargets: trustedOrigins,
    referrerPolicy: 'no-referrer',
    content: `<form method="post" action="/api/auth/verify-email">
<input type="hidden" name="token" value="${escapeHtml(token)}">
${callbackURL ? `<input type="hidden" name="callbackURL" value="${escapeHtml(callbackURL)}">` : ''}
<p>If you signed up with this address, confirm that it is yours. If you did not, close this page.</p>
<p><button type="submit">Confirm</button></p>
</form>`,
  });
}
