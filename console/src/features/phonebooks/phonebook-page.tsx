import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { Pencil, Send, Trash2, UserPlus, Users } from 'lucide-react';
import type { Contact, Phonebook } from 'sms-service-client';
import { useState, type ReactNode } from 'react';
import { sms } from '../../api.ts';
import { ConfirmDialog } from '../../records/confirm-dialog.tsx';
import { Button, ButtonLink, IconButton } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { EmptyState, ErrorState, PageSkeleton } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { useDescribeError } from '../../errors.ts';
import { useFormat } from '../../i18n/format.ts';
import { NotFoundPage } from '../../shell/fallbacks.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { AddMembersDialog } from './add-members-dialog.tsx';
import { Members } from './members.tsx';
import { PhonebookDialog } from './phonebook-dialog.tsx';
import { allPhonebooksQuery, changeMembers } from './phonebooks.ts';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/o/$organization/phonebooks/$phonebookId');

/** One phonebook and its members. */
export function PhonebookPage(): ReactNode {
  const { organizationId } = useOrganization();
  const { phonebookId } = route.useParams();
  const { data, error, refetch } = useQuery(allPhonebooksQuery(organizationId));
  if (data === undefined) {
    return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const phonebook = data.find(({ id }) => id === phonebookId);
  return phonebook === undefined ? <NotFoundPage /> : <PhonebookView phonebook={phonebook} />;
}

function PhonebookView({ phonebook }: { phonebook: Phonebook }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { slug } = useOrganization();
  const [dialog, setDialog] = useState<'add' | 'edit' | 'delete' | null>(null);
  const { change, isChanging } = useMemberChanges(phonebook);
  const { name, description, memberCount } = phonebook;
  const members = t('members', { count: memberCount, members: format.number(memberCount) });
  return (
    <Page
      title={name}
      description={[members, description].filter(Boolean).join(' · ')}
      breadcrumbs={[
        { label: t('title'), link: { to: '/o/$organization/phonebooks', params: { organization: slug } } },
      ]}
      actions={
        <>
          <IconButton label={t('delete')} onClick={() => setDialog('delete')}>
            <Trash2 aria-hidden />
          </IconButton>
          <IconButton label={t('rename')} onClick={() => setDialog('edit')}>
            <Pencil aria-hidden />
          </IconButton>
          <Button icon={<UserPlus aria-hidden className="size-4" />} onClick={() => setDialog('add')}>
            {t('addContacts')}
          </Button>
          <ButtonLink
            variant="primary"
            to="/o/$organization/bulk-sms/new"
            params={{ organization: slug }}
            search={{ phonebookId: phonebook.id }}
            icon={<Send aria-hidden className="size-4" />}
          >
            {t('send')}
          </ButtonLink>
        </>
      }
    >
      <Members
        phonebookId={phonebook.id}
        isChanging={isChanging}
        onRemove={({ id }) => change({ remove: [id] })}
        empty={
          <EmptyState
            icon={Users}
            title={t('noMembers')}
            description={t('noMembersHint')}
            action={<Button onClick={() => setDialog('add')}>{t('addContacts')}</Button>}
          />
        }
      />
      {dialog === 'add' && (
        <AddMembersDialog
          onClose={() => setDialog(null)}
          onAdd={(contacts: Contact[]) => {
            setDialog(null);
            change({ add: contacts.map(({ id }) => id) });
          }}
        />
      )}
      <ChangeDialogs phonebook={phonebook} dialog={dialog} onClose={() => setDialog(null)} />
    </Page>
  );
}

interface ChangeDialogsProps {
  phonebook: Phonebook;
  dialog: 'add' | 'edit' | 'delete' | null;
  onClose: () => void;
}

function ChangeDialogs({ phonebook, dialog, onClose }: ChangeDialogsProps): ReactNode {
  const t = useText();
  const toast = useToast();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { organizationId, slug } = useOrganization();
  const refresh = (): Promise<void> =>
    queryClient.invalidateQueries({ queryKey: [organizationId, 'phonebooks'] });
  if (dialog === 'edit') {
    return (
      <PhonebookDialog
        phonebook={phonebook}
        onClose={onClose}
        onSaved={({ name }) => {
          void refresh();
          toast({ title: t('saved', { name }) });
          onClose();
        }}
      />
    );
  }
  return (
    <ConfirmDialog
      isOpen={dialog === 'delete'}
      onClose={onClose}
      title={t('deleteTitle', { name: phonebook.name })}
      description={t('deleteHint')}
      confirm={t('delete')}
      run={() => sms.contactLists.delete(phonebook.id, { organizationId })}
      done={t('deleted', { name: phonebook.name })}
      // Read again on this page, its absence would show as a missing page.
      onDone={() =>
        void navigate({ to: '/o/$organization/phonebooks', params: { organization: slug } }).then(refresh)
      }
    />
  );
}

function useMemberChanges({ id }: Phonebook) {
  const t = useText();
  const format = useFormat();
  const toast = useToast();
  const describe = useDescribeError();
  const queryClient = useQueryClient();
  const { organizationId } = useOrganization();
  const { mutate, isPending } = useMutation({
    mutationFn: (changes: { add?: string[]; remove?: string[] }) =>
      changeMembers(organizationId, id, changes),
    onSuccess: ({ added, removed }) => {
      void queryClient.invalidateQueries({ queryKey: [organizationId, 'phonebooks'] });
      toast({ title: t('changed', { added: format.number(added), removed: format.number(removed) }) });
    },
    onError: (error) => {
      const { title, detail } = describe(error);
      toast({ title, description: detail, kind: 'failure' });
    },
  });
  return { change: mutate, isChanging: isPending };
}
