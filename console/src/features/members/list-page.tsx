import { useInfiniteQuery } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import type { MemberWithUser } from 'sms-service-client';
import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { Ago } from '../../design/ago.tsx';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { ErrorState } from '../../design/states.tsx';
import { Table, TableSkeleton, type Column } from '../../design/table.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { InviteDialog } from './invite-dialog.tsx';
import { MemberDialog } from './member-dialog.tsx';
import { membersQuery } from './members.ts';
import { OpenInvitations } from './open-invitations.tsx';
import { useText } from './text.ts';

/** The people of the organization, and who is invited. */
export function ListPage(): ReactNode {
  const t = useText();
  const { isManager } = useOrganization();
  const [isInviting, setInviting] = useState(false);
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        isManager && (
          <Button
            variant="primary"
            icon={<UserPlus aria-hidden className="size-4" />}
            onClick={() => setInviting(true)}
          >
            {t('invite')}
          </Button>
        )
      }
    >
      <Members />
      {isManager && <OpenInvitations />}
      <InviteDialog isOpen={isInviting} onClose={() => setInviting(false)} />
    </Page>
  );
}

function Members(): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const [openId, setOpenId] = useState<string>();
  const { data, error, isPending, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } =
    useInfiniteQuery(membersQuery(organizationId));
  const members = useMemo(() => data?.pages.flatMap((page) => page.members) ?? [], [data]);
  const columns = useColumns(setOpenId);
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [fetchNextPage, hasNextPage, isFetchingNextPage]);
  if (isPending) return <TableSkeleton rows={3} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <Table
        label={t('title')}
        columns={columns}
        rows={members}
        rowId={({ id }) => id}
        onEnd={loadMore}
        isLoadingMore={isFetchingNextPage}
      />
      <MemberDialog member={members.find(({ id }) => id === openId)} onClose={() => setOpenId(undefined)} />
    </>
  );
}

function useColumns(open: (id: string) => void): Column<MemberWithUser>[] {
  const t = useText();
  const { isManager } = useOrganization();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('name'),
        cell: ({ id, user, userId }) =>
          isManager ? (
            <button type="button" className="row-link font-medium" onClick={() => open(id)}>
              {user?.name ?? userId}
            </button>
          ) : (
            <span className="font-medium">{user?.name ?? userId}</span>
          ),
      },
      {
        id: 'email',
        header: t('email'),
        isHiddenOnPhone: true,
        cell: ({ user }) => <span className="text-muted">{user?.email}</span>,
      },
      { id: 'role', header: t('role'), width: 'w-36', cell: ({ role }) => t(role) },
      {
        id: 'createdAt',
        header: t('joined'),
        width: 'w-28',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ createdAt }) => <Ago at={createdAt} />,
      },
    ],
    [isManager, open, t],
  );
}
