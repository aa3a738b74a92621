import { useMemo } from 'react';
import type { TwoFactorProof } from 'sms-service-client';
import * as z from 'zod/mini';
import { useApiForm, type ApiForm } from '../../form.tsx';
import { useText } from './text.ts';

/** The form for what the password and the second factor permit together. */
export function useProofForm<Result>(
  submit: (proof: TwoFactorProof) => Promise<Result>,
  onSuccess: (result: Result) => unknown,
): ApiForm<TwoFactorProof> {
  const t = useText();
  const schema = useMemo(
    () =>
      z.object({
        password: z.string().check(z.minLength(1, t('passwordMissing'))),
        code: z.string().check(z.minLength(6, t('codeMissing')), z.maxLength(24, t('codeMissing'))),
      }),
    [t],
  );
  return useApiForm({ schema, defaultValues: { password: '', code: '' }, submit, onSuccess });
}
