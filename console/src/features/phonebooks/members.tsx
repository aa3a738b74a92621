import { UserMinus } from 'lucide-react';
import type { Contact } from 'sms-service-client';
import { useMemo, type ReactNode } from 'react';
import { IconButton } from '../../design/button.tsx';
import type { Column } from '../../design/table.tsx';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { nameOf } from '../contacts/contacts.ts';
import { useOrganization } from '../organizations/organization.ts';
import { membersQuery } from './phonebooks.ts';
import { useText } from './text.ts';

interface MembersProps {
  phonebookId: string;
  isChanging: boolean;
  onRemove: (contact: Contact) => void;
  empty: ReactNode;
}

/** The contacts of a phonebook, each of which can be removed from it. */
export function Members({ phonebookId, isChanging, onRemove, empty }: MembersProps): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const columns = useColumns(isChanging, onRemove);
  const list = useList(membersQuery(organizationId, phonebookId));
  return <List list={list} label={t('contacts')} columns={columns} empty={empty} />;
}

function useColumns(isChanging: boolean, onRemove: (contact: Contact) => void): Column<Contact>[] {
  const t = useText();
  return useMemo(
    () => [
      {
        id: 'phoneNumber',
        header: t('phoneNumber'),
        width: 'w-44 max-sm:w-40',
        cell: ({ phoneNumber }) => <span className="font-mono text-sm">{phoneNumber}</span>,
      },
      { id: 'name', header: t('contact'), cell: nameOf },
      {
        id: 'company',
        header: t('company'),
        isHiddenOnPhone: true,
        cell: ({ company }) => <span className="text-muted">{company}</span>,
      },
      {
        id: 'actions',
        header: t('actions'),
        width: 'w-24 max-sm:w-20',
        align: 'end',
        cell: (contact) => (
          <IconButton
            label={t('remove', { number: contact.phoneNumber })}
            disabled={isChanging}
            onClick={() => onRemove(contact)}
          >
            <UserMinus aria-hidden />
          </IconButton>
        ),
      },
    ],
    [isChanging, onRemove, t],
  );
}
