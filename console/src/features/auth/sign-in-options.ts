import { queryOptions } from '@tanstack/react-query';
import { sms } from '../../api.ts';

/** How people can sign in to this service. It changes only with its configuration. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => sms.auth.getSignInOptions({ signal }),
  staleTime: Infinity,
});
