import { useQueryClient } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/form-fields.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { twoFactorQuery } from './account.ts';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useText } from './text.ts';

type Step =
  | { name: 'password' }
  | { name: 'app'; uri: string }
  /** Two-factor sign-in is on. */
  | { name: 'codes'; codes: string[] };

/** Turns two-factor sign-in on: the password, the app with its first code, and the recovery codes. */
export function TurnOnDialog({ onClose }: { onClose: () => void }): ReactNode {
  const t = useText();
  const queryClient = useQueryClient();
  const [step, setStep] = useState<Step>({ name: 'password' });
  const finish = (): void => {
    onClose();
    // Only now: the card that shows this dialog changes when it hears that two-factor sign-in is on.
    void queryClient.invalidateQueries(twoFactorQuery);
  };
  return (
    <Dialog
      isOpen
      // The codes are shown once, so this dialog is not closed by a slip.
      onClose={step.name === 'codes' ? undefined : onClose}
      title={t(`${step.name}Title`)}
      description={t(`${step.name}Hint`)}
    >
      {step.name === 'password' && (
        <PasswordForm onCancel={onClose} onDone={(uri) => setStep({ name: 'app', uri })} />
      )}
      {step.name === 'app' && (
        <AppForm uri={step.uri} onCancel={onClose} onDone={(codes) => setStep({ name: 'codes', codes })} />
      )}
      {step.name === 'codes' && <RecoveryCodes codes={step.codes} onDone={finish} />}
    </Dialog>
  );
}

function PasswordForm(props: { onCancel: () => void; onDone: (uri: string) => void }): ReactNode {
  const t = useText();
  const schema = useMemo(
    () => z.object({ password: z.string().check(z.minLength(1, t('passwordMissing'))) }),
    [t],
  );
  const form = useApiForm({
    schema,
    defaultValues: { password: '' },
    submit: (values) => sms.auth.enableTwoFactor(values),
    onSuccess: ({ totpURI }) => props.onDone(totpURI),
  });
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <TextField
        control={form.control}
        name="password"
        label={t('password')}
        type="password"
        autoComplete="current-password"
      />
      <FormFailure error={form.failure} />
      <Actions>
        <Button onClick={props.onCancel}>{t('cancel')}</Button>
        <Button type="submit" variant="primary" isPending={form.isPending}>
          {t('next')}
        </Button>
      </Actions>
    </form>
  );
}

interface AppFormProps {
  uri: string;
  onCancel: () => void;
  onDone: (codes: string[]) => void;
}

function AppForm({ uri, onCancel, onDone }: AppFormProps): ReactNode {
  const t = useText();
  const schema = useMemo(
    () => z.object({ code: z.string().check(z.regex(/^\d{6}$/, t('appCodeInvalid'))) }),
    [t],
  );
  const form = useApiForm({
    schema,
    defaultValues: { code: '' },
    submit: (values) => sms.auth.confirmTwoFactor(values),
    onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes),
  });
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <QrCode text={uri} label={t('qrCode')} />
      <div>
        <p className="text-sm text-muted">{t('typeKey')}</p>
        <Copyable value={secret} />
      </div>
      <TextField
        control={form.control}
        name="code"
        label={t('appCode')}
        inputMode="numeric"
        autoComplete="one-time-code"
      />
      <FormFailure error={form.failure} />
      <Actions>
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button type="submit" variant="primary" isPending={form.isPending}>
          {t('turnOn')}
        </Button>
      </Actions>
    </form>
  );
}
