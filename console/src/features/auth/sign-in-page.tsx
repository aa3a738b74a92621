import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Notice } from '../../design/states.tsx';
import { AuthPage } from './auth-page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignInProviders } from './sign-in-providers.tsx';
import { signInOptionsQuery } from './sign-in-options.ts';
import { useText } from './text.ts';

const route = getRouteApi('/sign-in');

export function SignInPage(): ReactNode {
  const t = useText();
  const router = useRouter();
  const { next, error } = route.useSearch();
  const { data: options } = useQuery(signInOptionsQuery);
  const goOn = (): void => router.history.push(next ?? '/console/');
  return (
    <AuthPage title={t('signInTitle')} footer={options?.isSignUpOpen !== false && <SignUpLink next={next} />}>
      {error !== undefined && (
        <div className="mb-4">
          <Notice tone="danger" title={t('providerRefused')}>
            {t('providerRefusedHint', { error })}
          </Notice>
        </div>
      )}
      <SignInForm onSignedIn={goOn} />
      <SignInProviders next={next} onSignedIn={goOn} />
      <p className="mt-4 text-center text-sm">
        <Link to="/forgotten-password" className="text-muted hover:text-text hover:underline">
          {t('forgotPassword')}
        </Link>
      </p>
    </AuthPage>
  );
}

function SignUpLink({ next }: { next: string | undefined }): ReactNode {
  const t = useText();
  return (
    <>
      {t('noAccount')}{' '}
      <Link
        to="/sign-up"
        search={{ ...(next && { next }) }}
        className="font-medium text-accent hover:underline"
      >
        {t('signUp')}
      </Link>
    </>
  );
}
