import type { ErrorDescription } from './error-description.ts';

/** The codes for requests that are right, but that the service cannot handle. */
export const serverErrors = {
  internal_error: {
    status: 500,
    meaning: 'An internal error occurred. Give the request id to the operator.',
    happens:
      'A fault of the service. The response shows nothing of it; the log of the API has it under the request id.',
    cure:
      'Give `requestId` to the operator, who finds it in the log. Repeat a request only if it is safe: one that reads, or ' +
      'one with an `Idempotency-Key`.',
    anywhere: 'Every operation.',
  },
  unavailable: {
    status: 503,
    meaning:
      'The service is temporarily unavailable, for example because its database is. Nothing was accepted. Try again.',
    happens:
      'The database cannot be reached or is restarting, too many requests wait for it, or the process takes no more ' +
      'uploads or streams at the moment.',
    cure:
      'Repeat the request after the seconds in `Retry-After`, with growing pauses. Nothing was accepted, so a ' +
      'repetition does nothing twice. Operators look at `/health/ready`, which names the part that is down.',
    anywhere: 'Every operation.',
  },
  provider_unavailable: {
    status: 503,
    meaning: 'The sign-in provider does not respond. Try again.',
    happens:
      'The OpenID provider of this server cannot be reached, or its configuration document cannot be read.',
    cure:
      'Try again after the seconds in `Retry-After`, or sign in with a password. Operators check `OIDC_ISSUER` and the ' +
      'network between the API and the provider.',
  },
  mail_not_configured: {
    status: 400,
    meaning: 'This server cannot send e-mail. The operator must set SMTP_URL.',
    happens: 'The operation sends a mail, and the server has neither `SMTP_URL` nor `MAIL_TO_LOG`.',
    cure: 'Ask the operator of the server to set `SMTP_URL`.',
  },
} as const satisfies Record<string, ErrorDescription>;
