import { useQueryClient } from '@tanstack/react-query';
import type { Redrive } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/form-fields.tsx';
import { SelectField } from '../../design/select-field.tsx';
import { useToast } from '../../design/toast.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { redrivesKey } from './redrives.ts';
import { redriveKinds, type RedriveSearch } from './routes.tsx';
import { anyValue, errorCodes, rangeUpTo, toRedriveInput } from './redrive-values.ts';
import { useText } from './text.ts';

interface StartProps {
  kind: Redrive['kind'] | undefined;
  prefill: RedriveSearch;
  onClose: () => void;
  onStarted: (redrive: Redrive) => void;
}

/** Starts a redrive of what failed in a time, by filter. */
export function StartRedriveDialog({ kind, ...rest }: StartProps): ReactNode {
  const t = useText();
  return (
    <Dialog
      isOpen={kind !== undefined}
      onClose={rest.onClose}
      width="wide"
      title={t('start')}
      description={t('startHint')}
    >
      {kind !== undefined && <StartForm kind={kind} {...rest} />}
    </Dialog>
  );
}

function StartForm(props: StartProps & { kind: Redrive['kind'] }): ReactNode {
  const t = useText();
  const form = useStartForm(props);
  const { onClose } = props;
  const { control } = form;
  const chosen = useWatch({ control, name: 'kind' });
  const any = { value: anyValue, label: t('any') };
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <SelectField
        control={control}
        name="kind"
        label={t('kind')}
        options={redriveKinds.map((value) => ({ value, label: t(value) }))}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField control={control} name="from" label={t('from')} type="datetime-local" />
        <TextField control={control} name="to" label={t('to')} type="datetime-local" />
        {chosen === 'messages' ? (
          <SelectField
            control={control}
            name="errorCode"
            label={t('errorCode')}
            options={[any, ...errorCodes.map((value) => ({ value, label: value }))]}
          />
        ) : (
          <TextField control={control} name="lastError" label={t('lastError')} hint={t('lastErrorHint')} />
        )}
        <SelectField
          control={control}
          name="environment"
          label={t('environment')}
          options={[any, ...(['live', 'test'] as const).map((value) => ({ value, label: t(value) }))]}
        />
        <TextField control={control} name="organizationId" label={t('organizationId')} hint={t('optional')} />
        <TextField
          control={control}
          name="limit"
          label={t('limit')}
          inputMode="numeric"
          hint={t('optional')}
        />
      </div>
      <FormFailure error={form.failure} />
      <Actions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" variant="primary" isPending={form.isPending}>
          {t('startNow')}
        </Button>
      </Actions>
    </form>
  );
}

function useStartForm({ kind, prefill, onClose, onStarted }: StartProps & { kind: Redrive['kind'] }) {
  const t = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [range] = useState(() => rangeUpTo(new Date(), prefill.from));
  const schema = useMemo(
    () =>
      z.object({
        kind: z.enum(redriveKinds),
        from: z.string().check(z.minLength(1, t('timeMissing'))),
        to: z.string().check(z.minLength(1, t('timeMissing'))),
        ...{
          errorCode: z.string(),
          lastError: z.string(),
          environment: z.string(),
          organizationId: z.string(),
        },
        limit: z.string().check(z.regex(/^\d*$/, t('limitInvalid'))),
      }),
    [t],
  );
  return useApiForm({
    schema,
    defaultValues: {
      ...{ kind, ...range, errorCode: anyValue, lastError: '' },
      ...{ environment: anyValue, organizationId: prefill.organizationId ?? '', limit: '' },
    },
    submit: (values) => {
      const input = toRedriveInput(values);
      return values.kind === 'messages'
        ? sms.admin.redriveMessages(input)
        : sms.admin.redriveWebhookDeliveries(input);
    },
    onSuccess: async (redrive) => {
      await queryClient.invalidateQueries({ queryKey: redrivesKey });
      toast({ title: t('startedNow'), description: t('startedHint') });
      onClose();
      onStarted(redrive);
    },
  });
}
