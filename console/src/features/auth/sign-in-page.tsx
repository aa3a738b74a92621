import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AuthPage } from './auth-page.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useText } from './text.ts';

const route = getRouteApi('/sign-in');

export function SignInPage(): ReactNode {
  const t = useText();
  const router = useRouter();
  const { next } = route.useSearch();
  return (
    <AuthPage
      title={t('signInTitle')}
      footer={
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
      }
    >
      <SignInForm onSignedIn={() => router.history.push(next ?? '/console/')} />
      <p className="mt-4 text-center text-sm">
        <Link to="/forgotten-password" className="text-muted hover:text-text hover:underline">
          {t('forgotPassword')}
        </Link>
      </p>
    </AuthPage>
  );
}
