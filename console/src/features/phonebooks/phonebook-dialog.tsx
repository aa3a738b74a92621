import type { Phonebook } from 'sms-service-client';
import { useMemo, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { TextAreaField, TextField } from '../../design/form-fields.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
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
    <Dialog isOpen onClose={onClose} title={phonebook === null ? t('create') : t('rename')}>
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
        <TextField {...{ control, name: 'name', label: t('name') }} autoComplete="off" />
        <TextAreaField {...{ control, name: 'description', label: t('description') }} rows={2} />
        <FormFailure error={failure} />
        <Actions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {t('save')}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
