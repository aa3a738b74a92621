import { useQueryClient } from '@tanstack/react-query';
import type { Contact } from 'sms-service-client';
import { useMemo, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { TextAreaField, TextField } from '../../design/form-fields.tsx';
import { useToast } from '../../design/toast.tsx';
import { useApiForm } from '../../form.tsx';
import { RecordDialog } from '../../records/record-dialog.tsx';
import { useListChanges } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { contactCountKey, toInput, toValues } from './contacts.ts';
import { useText } from './text.ts';

/** Creates a contact, or changes or deletes the one that is given. */
export function ContactDialog(props: { contact: Contact | 'new'; onClose: () => void }): ReactNode {
  const { onClose } = props;
  const contact = props.contact === 'new' ? null : props.contact;
  const t = useText();
  const { organizationId } = useOrganization();
  const { remove } = useListChanges<Contact>([organizationId, 'contacts', 'list']);
  const { control, onSubmit, failure, isPending } = useContactForm(contact, onClose);
  return (
    <RecordDialog
      {...{ onClose, onSubmit, isPending, failure }}
      title={contact === null ? t('create') : t('edit')}
      deletion={
        contact === null
          ? undefined
          : {
              title: t('deleteTitle', { number: contact.phoneNumber }),
              description: t('deleteHint'),
              run: () => sms.contacts.delete(contact.id, { organizationId }),
              done: t('deleted', { number: contact.phoneNumber }),
              changes: [contactCountKey(organizationId)],
              onDone: () => remove(contact.id),
            }
      }
    >
      <TextField
        {...{ control, name: 'phoneNumber', label: t('phoneNumber'), hint: t('numberHint') }}
        type="tel"
        autoComplete="off"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...{ control, name: 'firstName', label: t('firstName') }} autoComplete="off" />
        <TextField {...{ control, name: 'lastName', label: t('lastName') }} autoComplete="off" />
        <TextField {...{ control, name: 'company', label: t('company') }} autoComplete="off" />
        <TextField {...{ control, name: 'email', label: t('email') }} type="email" autoComplete="off" />
      </div>
      <TextField {...{ control, name: 'tags', label: t('tags'), hint: t('tagsHint') }} autoComplete="off" />
      <TextAreaField
        {...{
          control,
          name: 'customFields',
          label: t('customFields'),
          hint: t('customFieldsHint', { field: '{{customFields.points}}' }),
        }}
        rows={3}
      />
    </RecordDialog>
  );
}

function useContactForm(contact: Contact | null, onClose: () => void) {
  const t = useText();
  const toast = useToast();
  const { organizationId } = useOrganization();
  const queryClient = useQueryClient();
  const { replace, refresh } = useListChanges<Contact>([organizationId, 'contacts', 'list']);
  const schema = useMemo(() => {
    const atMost = (count: number) => z.string().check(z.maxLength(count, t('tooLong', { count })));
    return z.object({
      phoneNumber: z.string().check(z.minLength(8, t('numberLength')), z.maxLength(16, t('numberLength'))),
      firstName: atMost(100),
      lastName: atMost(100),
      company: atMost(160),
      email: atMost(320),
      tags: z.string(),
      customFields: z
        .string()
        .check(z.regex(/^(?:\s*[^=\s][^=\n]*=.*(?:\n|$)|\s*(?:\n|$))*$/, t('fieldLines'))),
    });
  }, [t]);
  return useApiForm({
    schema,
    defaultValues: toValues(contact),
    submit: (values) => {
      const input = toInput(values, organizationId, contact);
      return contact === null ? sms.contacts.create(input) : sms.contacts.update(contact.id, input);
    },
    onSuccess: (saved) => {
      if (contact === null) void refresh();
      else replace(saved);
      void queryClient.invalidateQueries({ queryKey: contactCountKey(organizationId) });
      toast({ title: t('saved', { number: saved.phoneNumber }) });
      onClose();
    },
  });
}
