import { useQuery } from '@tanstack/react-query';
import { signInOptionsQuery } from './sign-in-options.ts';

/** Whether this browser can use passkeys of this service. False until the service has said so. */
export function useHasPasskeys(): boolean {
  const { data: options } = useQuery(signInOptionsQuery);
  return options?.hasPasskeys === true && 'PublicKeyCredential' in window;
}
