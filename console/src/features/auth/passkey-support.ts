import { useQuery } from '@tanstack/react-query';
import { signInOptionsQuery } from './sign-in-options.ts';

/** Whether this browser can use passkeys of this service; undefined until the service has said so. */
export function useHasPasskeys(): boolean | undefined {
  const { data: options } = useQuery(signInOptionsQuery);
  return options && options.hasPasskeys && 'PublicKeyCredential' in window;
}
