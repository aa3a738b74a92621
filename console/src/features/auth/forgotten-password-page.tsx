import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/form-fields.tsx';
import { Notice } from '../../design/states.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { AuthPage } from './auth-page.tsx';
import { useText } from './text.ts';

export function ForgottenPasswordPage(): ReactNode {
  const t = useText();
  const [sentTo, setSentTo] = useState<string>();
  const schema = useMemo(() => z.object({ email: z.string().check(z.email(t('emailInvalid'))) }), [t]);
  const form = useApiForm({
    schema,
    defaultValues: { email: '' },
    submit: ({ email }) => sms.auth.requestPasswordReset({ email, redirectTo: '/console/reset-password' }),
    onSuccess: (_result, { email }) => setSentTo(email),
  });
  return (
    <AuthPage
      title={t('forgotTitle')}
      description={t('forgotHint')}
      footer={
        <Link to="/sign-in" className="font-medium text-accent hover:underline">
          {t('backToSignIn')}
        </Link>
      }
    >
      {sentTo === undefined ? (
        <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
          <TextField
            control={form.control}
            name="email"
            label={t('email')}
            type="email"
            autoComplete="username"
            inputMode="email"
          />
          <FormFailure error={form.failure} />
          <Button type="submit" variant="primary" isPending={form.isPending}>
            {t('sendResetMail')}
          </Button>
        </form>
      ) : (
        <Notice tone="info" title={t('resetMailSent')}>
          {t('resetMailSentHint', { email: sentTo })}
        </Notice>
      )}
    </AuthPage>
  );
}
