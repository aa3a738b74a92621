import type { Suppression } from 'sms-service-client';
import { useMemo, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { TextField } from '../../design/form-fields.tsx';
import { useToast } from '../../design/toast.tsx';
import { useApiForm } from '../../form.tsx';
import { RecordDialog } from '../../records/record-dialog.tsx';
import { useListChanges } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { useText } from './text.ts';

/** Puts a number on the list of those who get no messages. */
export function SuppressDialog({ onClose }: { onClose: () => void }): ReactNode {
  const t = useText();
  const toast = useToast();
  const { organizationId } = useOrganization();
  const { refresh } = useListChanges<Suppression>([organizationId, 'suppressions', 'list']);
  const schema = useMemo(
    () =>
      z.object({
        phoneNumber: z.string().check(z.minLength(8, t('numberLength')), z.maxLength(16, t('numberLength'))),
        reason: z.string().check(z.maxLength(500, t('reasonLength'))),
      }),
    [t],
  );
  const { control, onSubmit, failure, isPending } = useApiForm({
    schema,
    defaultValues: { phoneNumber: '', reason: '' },
    submit: ({ phoneNumber, reason }) =>
      sms.suppressions.create({ organizationId, phoneNumber, ...(reason !== '' && { reason }) }),
    onSuccess: ({ phoneNumber }) => {
      void refresh();
      toast({ title: t('added', { number: phoneNumber }) });
      onClose();
    },
  });
  return (
    <RecordDialog
      {...{ onClose, onSubmit, isPending, failure }}
      title={t('add')}
      description={t('addHint')}
      save={t('add')}
    >
      <TextField
        {...{ control, name: 'phoneNumber', label: t('phoneNumber') }}
        type="tel"
        autoComplete="off"
      />
      <TextField
        {...{ control, name: 'reason', label: t('reason'), hint: t('reasonHint') }}
        autoComplete="off"
      />
    </RecordDialog>
  );
}
