import { useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import type { Contact } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { ConfirmDialog } from '../../confirm-dialog.tsx';
import { Button } from '../../design/button.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { TextAreaField, TextField } from '../../design/form-fields.tsx';
import { useToast } from '../../design/toast.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { useListChanges } from '../../list.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { contactCountKey, toInput, toValues } from './contacts.ts';
import { useText } from './text.ts';

/** Creates a contact, or changes or deletes the one that is given. */
export function ContactDialog({
  contact,
  onClose,
}: {
  contact: Contact | 'new' | null;
  onClose: () => void;
}): ReactNode {
  const t = useText();
  const [isDeleting, setDeleting] = useState(false);
  const { organizationId } = useOrganization();
  const queryClient = useQueryClient();
  const { remove } = useListChanges<Contact>([organizationId, 'contacts', 'list']);
  const toast = useToast();
  if (contact === null) return null;
  if (contact !== 'new' && isDeleting) {
    return (
      <ConfirmDialog
        isOpen
        onClose={() => setDeleting(false)}
        title={t('deleteTitle', { number: contact.phoneNumber })}
        description={t('deleteHint')}
        confirm={t('deleteContact')}
        cancel={t('cancel')}
        action={() => sms.contacts.delete(contact.id, { organizationId })}
        onDone={() => {
          remove(contact.id);
          void queryClient.invalidateQueries({ queryKey: contactCountKey(organizationId) });
          toast({ title: t('deleted', { number: contact.phoneNumber }) });
          onClose();
        }}
      />
    );
  }
  return (
    <Dialog isOpen onClose={onClose} title={contact === 'new' ? t('create') : t('edit')}>
      <ContactForm
        contact={contact === 'new' ? null : contact}
        onClose={onClose}
        onDelete={() => setDeleting(true)}
      />
    </Dialog>
  );
}

interface ContactFormProps {
  contact: Contact | null;
  onClose: () => void;
  onDelete: () => void;
}

function ContactForm({ contact, onClose, onDelete }: ContactFormProps): ReactNode {
  const t = useText();
  const { control, onSubmit, failure, isPending } = useContactForm(contact, onClose);
  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
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
      <FormFailure error={failure} />
      <Actions>
        {contact !== null && (
          <Button
            className="mr-auto max-sm:mr-0"
            icon={<Trash2 aria-hidden className="size-4" />}
            onClick={onDelete}
          >
            {t('deleteContact')}
          </Button>
        )}
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" variant="primary" isPending={isPending}>
          {t('save')}
        </Button>
      </Actions>
    </form>
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
