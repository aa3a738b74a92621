import { queryOptions } from '@tanstack/react-query';
import { sms } from '../../api.ts';

/** Whether two-factor sign-in is on, and how many recovery codes are left. */
export const twoFactorQuery = queryOptions({
  queryKey: ['account', 'two-factor'],
  queryFn: ({ signal }) => sms.auth.getTwoFactor({ signal }),
});

/** The ways in which the user can sign in: a password, and accounts at providers. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['account', 'sign-in-methods'],
  queryFn: ({ signal }) => sms.auth.listAccounts({ signal }),
});

/** Where the user is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => sms.auth.listSessions({ signal }),
});

/** The passkeys of the user. */
export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => sms.auth.listPasskeys({ signal }),
});
