import { useQueryClient } from '@tanstack/react-query';
import { SmsApiError, type User } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/form-fields.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { sessionQuery } from './session.ts';
import { useText } from './text.ts';

/** Asks for address and password, and for a code if the account has two-factor sign-in. `email` is given where somebody signs in again. */
export function SignInForm({
  email = '',
  onSignedIn,
}: {
  email?: string;
  onSignedIn: (user: User) => void;
}): ReactNode {
  const t = useText();
  const queryClient = useQueryClient();
  const schema = useMemo(
    () =>
      z.object({
        email: z.string().check(z.email(t('emailInvalid'))),
        password: z.string().check(z.minLength(1, t('passwordMissing'))),
        code: z.string(),
      }),
    [t],
  );
  const [asksForCode, setAsksForCode] = useState(false);
  const form = useApiForm({
    schema,
    defaultValues: { email, password: '', code: '' },
    submit: async ({ code, ...values }) => {
      try {
        return await sms.auth.signIn({ ...values, ...(code !== '' && { code }) });
      } catch (error) {
        if (error instanceof SmsApiError && error.code === 'two_factor_required') setAsksForCode(true);
        throw error;
      }
    },
    onSuccess: async ({ user }) => {
      // Other queries are read anew by whoever shows them.
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      onSignedIn(user);
    },
  });
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <TextField
        control={form.control}
        name="email"
        label={t('email')}
        type="email"
        autoComplete="username"
        inputMode="email"
      />
      <TextField
        control={form.control}
        name="password"
        label={t('password')}
        type="password"
        autoComplete="current-password"
      />
      {asksForCode && (
        <TextField control={form.control} name="code" label={t('code')} autoComplete="one-time-code" />
      )}
      <FormFailure error={form.failure} />
      <Button type="submit" variant="primary" isPending={form.isPending}>
        {t('signIn')}
      </Button>
    </form>
  );
}
