import { useMutation } from '@tanstack/react-query';
import { sms } from '../../api.ts';

/** Ends the session, and leads to the sign-in. */
export function useSignOut() {
  return useMutation({
    mutationFn: () => sms.auth.signOut(),
    // A new page holds nothing of this session in its memory.
    onSuccess: () => window.location.assign('/console/sign-in'),
  });
}
