import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { SessionAndUser } from 'sms-service-client';
import { sms } from '../../api.ts';

/** The session of the browser; null without one. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => sms.auth.getSession({}, { signal }),
  staleTime: Infinity,
});

/** The user who is signed in. Only pages behind the sign-in use it. */
export function useUser(): SessionAndUser['user'] {
  const { data } = useSuspenseQuery(sessionQuery);
  if (data === null) throw new Error('Nobody is signed in.');
  return data.user;
}
