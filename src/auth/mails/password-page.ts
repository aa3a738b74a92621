import type { Response } from 'express';
import type { Inputs } from '../../http/contract/contract-types.ts';
import { escapeHtml, sendMailedPage } from './mailed-page.ts';

/** The path of the page, to which the mail leads people whose application has no page for it. */
export const passwordPagePath = '/api/auth/reset-password';

/**
 * Sends the page whose form sets a new password.
 *
 * @param query what better-auth adds to the address: the token, or an error if the link is not valid
 */
export function sendPasswordPage(response: Response, { token }: Inputs['openPasswordPage']['query']): void {
  sendMailedPage(response, {
    title: 'Set a new password',
    formTargets: [],
    referrerPolicy: 'same-origin',
    content: token === undefined ? '<p>This link is not valid any more. Request a new one.</p>' : form(token),
  });
}

/** The lengths are those of `newPassword` in openapi/authentication.yaml. */
function form(token: string): string {
  return `<form method="post" action="${passwordPagePath}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<p><label>New password, 8 to 128 characters
<input type="password" name="newPassword" autocomplete="new-password" minlength="8" maxlength="128" required></label></p>
<p>If you did not request a new password, close this page.</p>
<p><button type="submit">Set the password</button></p>
</form>`;
}
