import { useQueryClient } from '@tanstack/react-query';
import type { SenderId } from 'sms-service-client';
import { useMemo, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { TextAreaField, TextField } from '../../design/form-fields.tsx';
import { useToast } from '../../design/toast.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { useText } from './text.ts';

/** Asks for a sender ID, which an administrator of the service then reviews. A rejected one can be asked for again. */
export function RequestSenderDialog({
  isOpen,
  onClose,
  rejected,
}: {
  isOpen: boolean;
  onClose: () => void;
  rejected?: SenderId | undefined;
}): ReactNode {
  const t = useText();
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={rejected === undefined ? t('request') : t('resubmitTitle', { value: rejected.value })}
      description={rejected?.reviewReason ?? t('requestHint')}
    >
      <RequestSenderForm onDone={onClose} rejected={rejected} />
    </Dialog>
  );
}

function RequestSenderForm(props: { onDone: () => void; rejected: SenderId | undefined }): ReactNode {
  const { onDone, rejected } = props;
  const t = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { organizationId } = useOrganization();
  const schema = useMemo(
    () =>
      z.object({
        value: z.string().check(z.minLength(3, t('valueLength')), z.maxLength(20, t('valueLength'))),
        useCase: z.string().check(z.minLength(10, t('useCaseLength')), z.maxLength(1000, t('useCaseLength'))),
        sampleMessage: z
          .string()
          .check(z.minLength(1, t('sampleLength')), z.maxLength(1600, t('sampleLength'))),
      }),
    [t],
  );
  const form = useApiForm({
    schema,
    defaultValues: {
      value: rejected?.value ?? '',
      useCase: rejected?.useCase ?? '',
      sampleMessage: rejected?.sampleMessage ?? '',
    },
    submit: (values) => {
      const input = { ...values, organizationId, ...(rejected?.website && { website: rejected.website }) };
      return rejected === undefined
        ? sms.senderIds.request(input)
        : sms.senderIds.resubmit(rejected.id, input);
    },
    onSuccess: ({ value }) => {
      void queryClient.invalidateQueries({ queryKey: [organizationId, 'sender-ids'] });
      toast({ title: t('requested', { value }), description: t('requestedHint') });
      onDone();
    },
  });
  const { control } = form;
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <TextField control={control} name="value" label={t('value')} hint={t('valueHint')} maxLength={20} />
      <TextAreaField control={control} name="useCase" label={t('useCase')} hint={t('useCaseHint')} rows={2} />
      <TextAreaField control={control} name="sampleMessage" label={t('sample')} rows={2} />
      <FormFailure error={form.failure} />
      <Actions>
        <Button onClick={onDone}>{t('cancel')}</Button>
        <Button type="submit" variant="primary" isPending={form.isPending}>
          {t('sendRequest')}
        </Button>
      </Actions>
    </form>
  );
}
