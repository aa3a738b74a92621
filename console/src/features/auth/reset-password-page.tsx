import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { TextField } from '../../design/form-fields.tsx';
import { Notice } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { AuthPage } from './auth-page.tsx';
import { useText } from './text.ts';

const route = getRouteApi('/reset-password');

export function ResetPasswordPage(): ReactNode {
  const t = useText();
  const { token } = route.useSearch();
  return (
    <AuthPage title={t('resetTitle')}>
      {token === undefined ? (
        <div className="flex flex-col gap-4">
          <Notice tone="danger" title={t('linkInvalid')}>
            {t('linkInvalidHint')}
          </Notice>
          <ButtonLink to="/forgotten-password" variant="primary">
            {t('requestAgain')}
          </ButtonLink>
        </div>
      ) : (
        <NewPasswordForm token={token} />
      )}
    </AuthPage>
  );
}

function NewPasswordForm({ token }: { token: string }): ReactNode {
  const t = useText();
  const toast = useToast();
  const navigate = useNavigate();
  const schema = useMemo(
    () =>
      z.object({
        newPassword: z
          .string()
          .check(z.minLength(8, t('passwordTooShort')), z.maxLength(128, t('passwordTooLong'))),
      }),
    [t],
  );
  const form = useApiForm({
    schema,
    defaultValues: { newPassword: '' },
    submit: ({ newPassword }) => sms.auth.resetPassword({ newPassword, token }),
    onSuccess: async () => {
      toast({ title: t('passwordSet'), description: t('passwordSetHint') });
      await navigate({ to: '/sign-in' });
    },
  });
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <TextField
        control={form.control}
        name="newPassword"
        label={t('newPassword')}
        type="password"
        autoComplete="new-password"
        hint={t('passwordHint')}
      />
      <FormFailure error={form.failure} />
      <Button type="submit" variant="primary" isPending={form.isPending}>
        {t('setPassword')}
      </Button>
    </form>
  );
}
