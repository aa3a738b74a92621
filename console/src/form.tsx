import { zodResolver } from '@hookform/resolvers/zod';
import { SmsApiError } from 'sms-service-client';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  useForm,
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
} from 'react-hook-form';
import type { $ZodType } from 'zod/v4/core';
import { Notice } from './design/states.tsx';
import { useDescribeError } from './errors.ts';

interface ApiFormOptions<Values extends FieldValues, Result> {
  schema: $ZodType<Values, Values>;
  defaultValues: DefaultValues<NoInfer<Values>>;
  submit: (values: NoInfer<Values>) => Promise<Result>;
  onSuccess?: (result: Result, values: Values) => unknown;
  /** Gets the names of the fields that the API refused, at which the reasons are shown. */
  onRefused?: (fields: string[]) => void;
}

export interface ApiForm<Values extends FieldValues> extends UseFormReturn<Values> {
  onSubmit: (event: React.FormEvent) => void;
  isPending: boolean;
  /** Why the API refused the form, unless the reason is shown at its fields. */
  failure: unknown;
}

/**
 * A form that is checked by a schema and submitted to the API. What the API refuses is shown at the field that it names
 * (`/body/webhook/url` is the field `webhook.url`), and everything else above the buttons, with FormFailure. The entries
 * stay until the submission has succeeded.
 */
export function useApiForm<Values extends FieldValues, Result>({
  schema,
  defaultValues,
  submit,
  onSuccess,
  onRefused,
}: ApiFormOptions<Values, Result>): ApiForm<Values> {
  const form = useForm<Values>({
    // The resolver is typed for schemas whose input and output differ; here they do not.
    resolver: zodResolver(schema) as never,
    defaultValues,
  });
  /** The API may refuse a field that the form derives from others, for which it has no place. */
  const isShown = ({ name }: { name: string }): boolean =>
    Object.hasOwn(form.getValues(), name.split('.')[0] ?? '');
  const mutation = useMutation({
    mutationFn: submit,
    onSuccess: (result, values) => onSuccess?.(result, values),
    onError: (error) => {
      const fields = fieldErrorsOf(error).filter(isShown);
      for (const [index, { name, message }] of fields.entries()) {
        form.setError(name as FieldPath<Values>, { message }, { shouldFocus: index === 0 });
      }
      if (fields.length > 0) onRefused?.(fields.map(({ name }) => name));
    },
  });
  const failure = fieldErrorsOf(mutation.error).some(isShown) ? null : mutation.error;
  return {
    ...form,
    onSubmit: (event) => void form.handleSubmit((values) => mutation.mutate(values))(event),
    isPending: mutation.isPending,
    failure,
  };
}

function fieldErrorsOf(error: unknown): { name: string; message: string }[] {
  if (!(error instanceof SmsApiError)) return [];
  return error.errors
    .filter(({ path }) => path.startsWith('/body/'))
    .map(({ path, message }) => ({
      name: path.slice('/body/'.length).replaceAll('/', '.'),
      message: toSentence(message),
    }));
}

/** The API names the reason without a capital and a full stop, because it follows the name of the field there. */
function toSentence(message: string): string {
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Why the API refused a form. */
export function FormFailure({ error }: { error: unknown }): ReactNode {
  const describe = useDescribeError();
  // A session that has ended is answered by a dialog, after which the form can be submitted again.
  if (!error || (error instanceof SmsApiError && error.code === 'unauthenticated')) return null;
  const { title, detail } = describe(error);
  return (
    <Notice tone="danger" title={title}>
      {detail}
    </Notice>
  );
}
