import { z } from 'zod';

/**
 * Makes better-auth accept every e-mail address that openapi.yaml does. better-auth asks `z.email()`, whose pattern
 * has no `&`, `/` or `#` in it and no international top-level domain, and takes no pattern of ours. Requests are
 * validated before, so here anything with an `@` is an address. Nothing else in the process asks `z.email()`.
 */
export function acceptEmailAddresses(): void {
  const isAddress = /^[^\s@]+@[^\s@]+$/;
  z.regexes.email.test = (text) => isAddress.test(text);
}
