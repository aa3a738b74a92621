import type { ErrorDescription } from './error-description.ts';

/** The codes for accounts: sign-up, sign-in, passwords, addresses and providers. */
export const accountErrors = {
  invalid_email_or_password: {
    status: 401,
    meaning: 'The e-mail address or the password is wrong.',
    happens: 'No account has this address, the account has no password, or the password is another one.',
    cure:
      'Check both. If the password is forgotten, request a new one with `POST /api/auth/request-password-reset`. An ' +
      'account that was created with a provider signs in with that provider.',
  },
  invalid_password: {
    status: 400,
    meaning: 'The current password is wrong.',
    happens: 'The password in `currentPassword` or `password` is not the one of the account.',
    cure: 'Enter the current password again, or request a new one with `POST /api/auth/request-password-reset`.',
  },
  two_factor_required: {
    status: 403,
    meaning: 'The password is right, and a code of the authenticator app is needed as well.',
    happens: 'The account has two-factor sign-in, and the request has no `code`.',
    cure: 'Repeat the sign-in with the six digits that the app shows in `code`, or with a recovery code.',
  },
  invalid_two_factor_code: {
    status: 400,
    meaning: 'The code is wrong, or was already used.',
    happens:
      'The six digits are of another time or of another app, or the recovery code does not exist. Each code can be ' +
      'used once.',
    cure: 'Wait for the next code of the app, and check that the clock of the phone is right.',
  },
  invalid_passkey: {
    status: 400,
    meaning: 'The passkey was not accepted.',
    happens:
      'It is not known here or was removed, five minutes have passed since the request for options, its answer was used ' +
      'before, the browser did not send the cookie of that request, or the device has not recognised its user.',
    cure: 'Request new options, and ask the authenticator again. Sign in in another way if the passkey was removed.',
  },
  invalid_token: {
    status: 400,
    meaning: 'The link or token is wrong, was already used, or has expired. Request a new one.',
    happens: 'The link of a mail is incomplete or old, or it was used before.',
    cure: 'Request a new mail and open its link.',
  },
  email_mismatch: {
    status: 400,
    meaning: "The e-mail address is not the address of the session's user.",
    happens: 'A signed-in person requests the confirmation mail for another address.',
    cure: 'Send the address of your own account, or sign in with the account of this address.',
  },
  email_already_verified: {
    status: 400,
    meaning: 'The e-mail address is already confirmed.',
    happens: 'The confirmation mail is requested for an account whose address is confirmed.',
    cure: 'Nothing is to be done: continue.',
  },
  email_not_verified: {
    status: 403,
    meaning: 'Confirm the e-mail address first: POST /api/auth/send-verification-email.',
    happens: 'The account has an unconfirmed address, which may belong to somebody else.',
    cure: 'Open the link in the confirmation mail. `POST /api/auth/send-verification-email` sends it again.',
  },
  sign_up_disabled: {
    status: 403,
    meaning: 'Sign-up is disabled on this server. Ask an administrator for an account.',
    happens: 'The operator has closed sign-up (`ALLOW_SIGN_UP=false`).',
    cure: 'Ask an administrator of the service, who creates accounts with `POST /api/auth/admin/create-user`.',
  },
  failed_to_unlink_last_account: {
    status: 400,
    meaning: 'This is the only remaining way to sign in to this account.',
    happens: 'The account has one sign-in method left, and it is to be removed.',
    cure: 'Link another provider or set a password first.',
  },
  provider_not_found: {
    status: 404,
    meaning: 'This sign-in provider is not configured.',
    happens: 'The provider is misspelled, or the operator has not configured it.',
    cure: 'Use `google`, `github` or the id of the OpenID provider, as far as this server has them configured.',
  },
  last_administrator: {
    status: 409,
    meaning:
      'The service must have at least one administrator who is not banned. Make someone else an administrator first.',
    happens: 'The last administrator would lose the role or be banned.',
    cure: 'Make another person an administrator with `POST /api/auth/admin/set-role` first.',
  },
} as const satisfies Record<string, ErrorDescription>;
