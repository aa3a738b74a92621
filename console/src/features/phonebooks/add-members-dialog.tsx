import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { Contact } from 'sms-service-client';
import { useState, type ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { SearchField } from '../../design/search-field.tsx';
import { FormFailure } from '../../form.tsx';
import { contactsQuery, eachContact, nameOf } from '../contacts/contacts.ts';
import { useOrganization } from '../organizations/organization.ts';
import { useText } from './text.ts';

interface AddMembersDialogProps {
  onClose: () => void;
  onAdd: (contacts: Contact[]) => void;
}

/** Finds contacts, and adds those that are chosen, or all that match. */
export function AddMembersDialog({ onClose, onAdd }: AddMembersDialogProps): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlyMap<string, Contact>>(new Map());
  const filters = search === '' ? {} : { search };
  const { data, error } = useInfiniteQuery({
    ...contactsQuery(organizationId, filters),
    placeholderData: keepPreviousData,
  });
  const all = useMutation({
    mutationFn: async () => {
      const found: Contact[] = [];
      for await (const contact of eachContact(organizationId, filters)) found.push(contact);
      return found;
    },
    onSuccess: onAdd,
  });
  const toggle = (contact: Contact): void => {
    const next = new Map(chosen);
    if (!next.delete(contact.id)) next.set(contact.id, contact);
    setChosen(next);
  };
  const contacts = data?.pages[0]?.data ?? [];
  return (
    <Dialog isOpen onClose={onClose} title={t('addContacts')} description={t('addHint')}>
      <SearchField label={t('searchContacts')} value={search} onChange={setSearch} />
      <ul className="mt-3 max-h-72 divide-y divide-line overflow-y-auto rounded-md border border-line">
        {contacts.map((contact) => (
          <li key={contact.id}>
            <label className="flex min-h-10 items-center gap-3 px-3 py-1.5 hover:bg-hover">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={chosen.has(contact.id)}
                onChange={() => toggle(contact)}
              />
              <span className="font-mono text-sm">{contact.phoneNumber}</span>
              <span className="truncate text-muted">{nameOf(contact)}</span>
            </label>
          </li>
        ))}
        {contacts.length === 0 && <li className="px-3 py-4 text-muted">{t('noneFound')}</li>}
      </ul>
      <FormFailure error={error ?? all.error} />
      <Actions>
        <Button isPending={all.isPending} disabled={contacts.length === 0} onClick={() => all.mutate()}>
          {search === '' ? t('addEveryone') : t('addAllFound')}
        </Button>
        <Button variant="primary" disabled={chosen.size === 0} onClick={() => onAdd([...chosen.values()])}>
          {chosen.size === 0 ? t('addContacts') : t('addChosen', { count: chosen.size })}
        </Button>
      </Actions>
    </Dialog>
  );
}
