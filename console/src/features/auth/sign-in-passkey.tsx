import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { FormFailure } from '../../form.tsx';
import { sessionQuery } from './session.ts';
import { useText } from './text.ts';

/** Asks the device for a passkey. No address is needed: the device knows which account it is. */
export function SignInPasskey({ onSignedIn }: { onSignedIn: () => void }): ReactNode {
  const t = useText();
  const queryClient = useQueryClient();
  const signIn = useMutation({
    mutationFn: async () => {
      const options = await sms.auth.beginPasskeySignIn();
      return sms.auth.signInWithPasskey({ response: await askDevice(options) });
    },
    onSuccess: async () => {
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      onSignedIn();
    },
  });
  return (
    <>
      <Button
        icon={<KeyRound aria-hidden className="size-4" />}
        isPending={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {t('signInPasskey')}
      </Button>
      <FormFailure error={signIn.error} />
    </>
  );
}

/** Most people sign in with a password: the library is loaded when it is needed. */
async function askDevice(options: object): Promise<AuthenticationResponseJSON> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON });
}
