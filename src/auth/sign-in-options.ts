import { isIP } from 'node:net';
import type { Schemas } from '../http/contract/contract-types.ts';
import type { AuthSettings } from './better-auth.ts';

/** What a page may offer for signing in. It never reveals the secrets of the providers. */
export function signInOptionsOf(
  {
    google,
    github,
    oidc,
    isSignUpClosed = false,
  }: Pick<AuthSettings, 'google' | 'github' | 'oidc' | 'isSignUpClosed'>,
  baseUrl: string,
): Schemas['SignInOptions'] {
  return {
    providers: [
      ...(google ? [{ id: 'google', kind: 'google' as const }] : []),
      ...(github ? [{ id: 'github', kind: 'github' as const }] : []),
      ...(oidc ? [{ id: oidc.id, kind: 'oidc' as const }] : []),
    ],
    isSignUpOpen: !isSignUpClosed,
    hasPasskeys: hasDomain(baseUrl),
  };
}

/** A passkey belongs to a domain: browsers make none for an address of numbers (WebAuthn, level 3, 5.1.2). */
function hasDomain(baseUrl: string): boolean {
  return isIP(new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')) === 0;
}
