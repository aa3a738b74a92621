import { ApiError, errorCatalogue } from '../../errors.ts';

/** The fields of account operations that name where a browser goes next. */
const redirectFields = ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL', 'redirectTo'];

/**
 * Refuses a path that a browser reads as another host once it has resolved the path's dots: `/..//evil.example` leads to
 * `//evil.example`. better-auth checks the path as it is written. Absolute URLs are left to it.
 *
 * Errors: invalid_callback_url.
 *
 * @param fields the query or the body of the request
 */
export function refuseOpenRedirect(fields: Record<string, unknown>, baseUrl: string): void {
  for (const name of redirectFields) {
    const target = fields[name];
    if (typeof target !== 'string' || !/^[/\\]/.test(target)) continue;
    const resolved = URL.parse(target, baseUrl);
    if (resolved?.origin === new URL(baseUrl).origin && !resolved.pathname.includes('//')) continue;
    throw new ApiError('invalid_callback_url', errorCatalogue.invalid_callback_url.meaning);
  }
}
