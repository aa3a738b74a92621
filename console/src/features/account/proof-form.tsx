import type { TwoFactorProof } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Actions } from '../../design/dialog.tsx';
import { TextField } from '../../design/form-fields.tsx';
import { FormFailure, type ApiForm } from '../../form.tsx';
import { useText } from './text.ts';

interface ProofFormProps {
  form: ApiForm<TwoFactorProof>;
  /** The label of the button that submits. */
  submit: string;
  variant: 'primary' | 'danger';
  onCancel: () => void;
}

/** Asks for the password and a code. */
export function ProofForm({ form, submit, variant, onCancel }: ProofFormProps): ReactNode {
  const t = useText();
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <TextField
        control={form.control}
        name="password"
        label={t('password')}
        type="password"
        autoComplete="current-password"
      />
      <TextField control={form.control} name="code" label={t('code')} autoComplete="one-time-code" />
      <FormFailure error={form.failure} />
      <Actions>
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button type="submit" variant={variant} isPending={form.isPending}>
          {submit}
        </Button>
      </Actions>
    </form>
  );
}
