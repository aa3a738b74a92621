import type { Schemas } from '../http/contract/contract-types.ts';
import type { AuthSettings } from './better-auth.ts';

/** What a page may offer for signing in. It never reveals the secrets of the providers. */
export function signInOptionsOf({
  google,
  github,
  oidc,
  isSignUpClosed = false,
}: Pick<AuthSettings, 'google' | 'github' | 'oidc' | 'isSignUpClosed'>): Schemas['SignInOptions'] {
  return {
    providers: [
      ...(google ? [{ id: 'google', kind: 'google' as const }] : []),
      ...(github ? [{ id: 'github', kind: 'github' as const }] : []),
      ...(oidc ? [{ id: oidc.id, kind: 'oidc' as const }] : []),
    ],
    isSignUpOpen: !isSignUpClosed,
  };
}
