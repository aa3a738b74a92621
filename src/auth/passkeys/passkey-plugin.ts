import { passkey } from '@better-auth/passkey';
import { APIError } from 'better-auth/api';
import { passkeyTables } from '../columns.ts';

/** The cookie of a ceremony in progress, behind the prefix of all cookies. Its value is signed, and used once. */
export const challengeCookie = 'passkey_challenge';

/**
 * Sets up better-auth's passkeys (WebAuthn, level 3) for the host of the service.
 *
 * The authenticator must have recognised the user, by a fingerprint, a face or a code: a passkey signs in without a
 * password and without the code of an app, so it must be two factors by itself. better-auth asks for that at most, but
 * does not check it.
 */
export function passkeyPlugin(baseUrl: string) {
  const { hostname, origin } = new URL(baseUrl);
  return passkey({
    rpID: hostname,
    rpName: 'SMS service',
    // Without it, the origin that the caller states would count.
    origin,
    // A sign-in begins without a name, so the authenticator must find the passkey by itself.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    advanced: { webAuthnChallengeCookie: challengeCookie },
    schema: passkeyTables,
    registration: {
      afterVerification: ({ verification }) =>
        requireVerifiedUser(verification.registrationInfo?.userVerified, 'FAILED_TO_VERIFY_REGISTRATION'),
    },
    authentication: {
      afterVerification: ({ verification }) =>
        requireVerifiedUser(verification.authenticationInfo.userVerified, 'AUTHENTICATION_FAILED'),
    },
  });
}

function requireVerifiedUser(isVerified: boolean | undefined, code: string): void {
  if (isVerified) return;
  throw APIError.from('BAD_REQUEST', { code, message: 'The authenticator has not recognised its user.' });
}
