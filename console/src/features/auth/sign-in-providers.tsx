import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { FormFailure } from '../../form.tsx';
import { useHasPasskeys } from './passkey-support.ts';
import { signInOptionsQuery } from './sign-in-options.ts';
import { SignInPasskey } from './sign-in-passkey.tsx';
import { useText } from './text.ts';

const productNames = { google: 'Google', github: 'GitHub' };

/**
 * What signs in without a password: a passkey, and each provider that the operator has configured; nothing without both.
 * Password and address still work while the list cannot be read, so its failure is not shown.
 */
export function SignInProviders({
  next = '/console/',
  onSignedIn,
}: {
  next: string | undefined;
  onSignedIn: () => void;
}): ReactNode {
  const t = useText();
  const { data: options } = useQuery(signInOptionsQuery);
  const hasPasskeys = useHasPasskeys();
  const begin = useMutation({
    mutationFn: (provider: string) =>
      sms.auth.signInSocial({ provider, callbackURL: next, errorCallbackURL: '/console/sign-in' }),
    onSuccess: ({ url }) => url !== undefined && window.location.assign(url),
  });
  if (options === undefined || (options.providers.length === 0 && hasPasskeys !== true)) return null;
  return (
    <div className="mt-5 flex flex-col gap-3">
      <div className="flex items-center gap-3 text-sm text-muted">
        <span className="h-px flex-1 bg-line" />
        {t('or')}
        <span className="h-px flex-1 bg-line" />
      </div>
      {hasPasskeys === true && <SignInPasskey onSignedIn={onSignedIn} />}
      {options.providers.map(({ id, kind }) => (
        <Button
          key={id}
          isPending={begin.isPending && begin.variables === id}
          onClick={() => begin.mutate(id)}
        >
          {t('signInWith', { provider: kind === 'oidc' ? t('organizationAccount') : productNames[kind] })}
        </Button>
      ))}
      <FormFailure error={begin.error} />
    </div>
  );
}
