import type { ErrorDescription } from './error-description.ts';

/** The codes for who the caller is and what they may do. */
export const credentialErrors = {
  unauthenticated: {
    status: 401,
    meaning: 'The request has no valid API key, session or gateway token.',
    happens:
      'No credential was sent, the key is misspelled or cut off, the session has ended, or the gateway token of a ' +
      'callback is wrong. Only the first credential counts, in the order `X-API-Key`, bearer token, cookie.',
    cure:
      'Send the whole key in the header `X-API-Key`, or sign in again and send the new token. Do not repeat the request ' +
      'with the same credential.',
    anywhere: 'Every operation that requires a key, a session or the gateway token.',
  },
  api_key_revoked: {
    status: 401,
    meaning: 'This API key has been revoked. Create a new one.',
    happens: 'An owner or admin of the organization has revoked the key. Revoking is final.',
    cure: 'Create a new key with `POST /api/v1/api-keys` and put it in the place of the old one.',
    anywhere: 'Every operation that accepts a key.',
  },
  api_key_expired: {
    status: 401,
    meaning: 'This API key has expired. Create a new one or extend it.',
    happens: 'The time in `expiresAt` of the key has passed.',
    cure: 'Set a later `expiresAt` with `PATCH /api/v1/api-keys/{keyId}`, or create a new key.',
    anywhere: 'Every operation that accepts a key.',
  },
  address_not_allowed: {
    status: 403,
    meaning: 'This API key may not be used from this address.',
    happens:
      'The key has `allowedAddresses`, and the address of the caller, which `detail` names, is not among them.',
    cure:
      'Call from one of these addresses, or let an owner or admin change them with `PATCH /api/v1/api-keys/{keyId}`. ' +
      'If `detail` names the address of a proxy, the operator has to set `TRUST_PROXY`.',
    anywhere: 'Every operation that accepts a key.',
  },
  permission_denied: {
    status: 403,
    meaning: 'The caller lacks the permission that `detail` names.',
    happens:
      'The key was created without this permission, the role of the person does not include it, a key is used where ' +
      'only a person may act, or the operation is only for administrators of the service.',
    cure:
      'Let an owner or admin add the permission to the key with `PATCH /api/v1/api-keys/{keyId}`, or change the role of ' +
      'the person. With a key, use an operation that keys may call.',
    anywhere: 'Every operation that requires a key or a session.',
  },
  organization_required: {
    status: 400,
    meaning: 'The user belongs to several organizations: set organizationId.',
    happens:
      'A session of a person who belongs to none or to several organizations does not say for which one it acts.',
    cure:
      'Send `organizationId`, or choose the active organization once with `POST /api/auth/organization/set-active`. A ' +
      'person without an organization creates one or accepts an invitation. A key never needs it.',
    anywhere: 'Every operation of an organization, if it is called with a session.',
  },
  banned: {
    status: 403,
    meaning: 'This account is banned.',
    happens: 'An administrator of the service has banned the account, for a time or for good.',
    cure: 'Ask an administrator of the service why, and to end the ban.',
    anywhere: 'Every operation with a session, and every sign-in.',
  },
  session_not_fresh: {
    status: 403,
    meaning: 'This requires a session that began within the last 24 hours. Sign in again.',
    happens: 'The operation changes how an account signs in, and the session is older than a day.',
    cure: 'Sign in again and repeat the request with the new session.',
  },
  invalid_origin: {
    status: 403,
    meaning: 'A browser sent this request from an origin that is not trusted.',
    happens:
      'A page of another origin calls the API with the cookie of a session. The check protects people from pages that ' +
      'act in their name.',
    cure:
      'Add the origin of the page to `AUTH_TRUSTED_ORIGINS`, if it is yours. Programs send a key or a bearer token, to which ' +
      'the check does not apply.',
    anywhere: 'Every operation that a browser calls with a cookie, and every sign-in.',
  },
  invalid_callback_url: {
    status: 403,
    meaning: 'The callback URL must have a trusted origin.',
    happens:
      'A URL to return to leads to another origin than that of the service or one of `AUTH_TRUSTED_ORIGINS`.',
    cure: 'Use a path (`/welcome`) or a URL of a trusted origin. Operators add origins to `AUTH_TRUSTED_ORIGINS`.',
  },
  not_while_impersonating: {
    status: 403,
    meaning: 'This is not allowed while impersonating a user. Stop impersonating first.',
    happens:
      'An administrator acts as another user, and the operation would give lasting access to the account, or show its ' +
      'sessions.',
    cure: 'End the impersonation with `POST /api/auth/admin/stop-impersonating`, and act in your own name.',
  },
  you_cannot_impersonate_admins: {
    status: 403,
    meaning: 'Administrators cannot be impersonated.',
    happens: 'The user whom an administrator wants to impersonate is an administrator too.',
    cure: 'Ask this administrator to do it themselves, or to show what they see.',
  },
} as const satisfies Record<string, ErrorDescription>;
