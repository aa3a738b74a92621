import type { Phonebook } from 'sms-service-client';
import { useMemo, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { TextAreaField, TextField } from '../../design/form-fields.tsx';
import { useApiForm } from '../../form.tsx';
import { RecordDialog } from '../../records/record-dialog.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { useText } from './text.ts';

interface PhonebookDialogProps {
  phonebook: Phonebook | null;
  onClose: () => void;
  onSaved: (phonebook: Phonebook) => void;
}

/** Creates a phonebook, or renames the one that is given. */
export function PhonebookDialog({ phonebook, onClose, onSaved }: PhonebookDialogProps): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const schema = useMemo(
    () =>
      z.object({
        name: z.string().check(z.minLength(1, t('nameMissing')), z.maxLength(100, t('nameLength'))),
        description: z.string(),
      }),
    [t],
  );
  const { control, onSubmit, failure, isPending } = useApiForm({
    schema,
    defaultValues: { name: phonebook?.name ?? '', description: phonebook?.description ?? '' },
    submit: ({ name, description }) =>
      phonebook === null
        ? sms.contactLists.create({ organizationId, name, description })
        : sms.contactLists.update(phonebook.id, {
            ...{ organizationId, name, description: description === '' ? null : description },
          }),
    onSuccess: onSaved,
  });
  return (
    <RecordDialog
      {...{ onClose, onSubmit, isPending, failure }}
      title={phonebook === null ? t('create') : t('rename')}
    >
      <TextField {...{ control, name: 'name', label: t('name') }} autoComplete="off" />
      <TextAreaField {...{ control, name: 'description', label: t('description') }} rows={2} />
    </RecordDialog>
  );
}
