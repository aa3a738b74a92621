import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useRouter } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/form-fields.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { AuthPage } from './auth-page.tsx';
import { sessionQuery } from './session.ts';
import { useText } from './text.ts';

const route = getRouteApi('/sign-up');

export function SignUpPage(): ReactNode {
  const t = useText();
  const { next } = route.useSearch();
  return (
    <AuthPage
      title={t('signUpTitle')}
      footer={
        <>
          {t('haveAccount')}{' '}
          <Link
            to="/sign-in"
            search={{ ...(next && { next }) }}
            className="font-medium text-accent hover:underline"
          >
            {t('signIn')}
          </Link>
        </>
      }
    >
      <SignUpForm next={next ?? '/console/'} />
    </AuthPage>
  );
}

function SignUpForm({ next }: { next: string }): ReactNode {
  const t = useText();
  const router = useRouter();
  const queryClient = useQueryClient();
  const schema = useMemo(
    () =>
      z.object({
        name: z.string().check(z.minLength(1, t('nameMissing')), z.maxLength(100, t('nameTooLong'))),
        email: z.string().check(z.email(t('emailInvalid'))),
        password: z
          .string()
          .check(z.minLength(8, t('passwordTooShort')), z.maxLength(128, t('passwordTooLong'))),
      }),
    [t],
  );
  const form = useApiForm({
    schema,
    defaultValues: { name: '', email: '', password: '' },
    submit: (values) => sms.auth.signUp({ ...values, callbackURL: '/console/confirm-address' }),
    onSuccess: async () => {
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      router.history.push(next);
    },
  });
  const { control } = form;
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <TextField control={control} name="name" label={t('name')} autoComplete="name" />
      <TextField
        control={control}
        name="email"
        label={t('email')}
        type="email"
        autoComplete="username"
        inputMode="email"
      />
      <TextField
        control={control}
        name="password"
        label={t('password')}
        type="password"
        autoComplete="new-password"
        hint={t('passwordHint')}
      />
      <FormFailure error={form.failure} />
      <Button type="submit" variant="primary" isPending={form.isPending}>
        {t('signUp')}
      </Button>
    </form>
  );
}
