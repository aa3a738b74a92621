import { getRouteApi } from '@tanstack/react-router';
import { Bell, CheckCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAction } from '../../action.ts';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { Select } from '../../design/select.tsx';
import { EmptyState, ErrorState } from '../../design/states.tsx';
import { TableSkeleton } from '../../design/table.tsx';
import { useList } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { NotificationRow } from './notification-row.tsx';
import { notificationsQuery } from './notifications.ts';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/o/$organization/notifications');

/** What the reader was notified of, live. */
export function ListPage(): ReactNode {
  const t = useText();
  const navigate = route.useNavigate();
  const { organizationId } = useOrganization();
  const { unread = false } = route.useSearch();
  const readAll = useAction({
    run: () => sms.notifications.readAll({ organizationId }),
    done: ({ read }) => ({ title: t('allRead', { count: read }) }),
    changes: [[organizationId, 'notifications']],
  });
  return (
    <Page
      title={t('title')}
      width="narrow"
      actions={
        <>
          <Select
            label={t('show')}
            className="w-36"
            options={[
              { value: 'all', label: t('all') },
              { value: 'unread', label: t('unread') },
            ]}
            value={unread ? 'unread' : 'all'}
            onChange={(value) =>
              void navigate({ search: value === 'unread' ? { unread: true } : {}, replace: true })
            }
          />
          <Button
            icon={<CheckCheck aria-hidden className="size-4" />}
            isPending={readAll.isPending}
            onClick={() => readAll.mutate(undefined)}
          >
            {t('readAll')}
          </Button>
        </>
      }
    >
      <Notifications unread={unread} />
    </Page>
  );
}

function Notifications({ unread }: { unread: boolean }): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const { items, error, isPending, refetch, hasMore, loadMore, isLoadingMore } = useList(
    notificationsQuery(organizationId, unread),
  );
  if (isPending) return <TableSkeleton rows={4} />;
  if (error !== null) return <ErrorState error={error} onRetry={refetch} />;
  if (items.length === 0) {
    return (
      <div className="rounded-lg border border-line bg-surface">
        <EmptyState icon={Bell} title={unread ? t('noneUnread') : t('none')} description={t('noneHint')} />
      </div>
    );
  }
  return (
    <>
      <ul className="divide-y divide-line overflow-clip rounded-lg border border-line bg-surface shadow-raised">
        {items.map((notification) => (
          <NotificationRow key={notification.id} notification={notification} />
        ))}
      </ul>
      {hasMore && (
        <Button className="self-center" isPending={isLoadingMore} onClick={loadMore}>
          {t('more')}
        </Button>
      )}
    </>
  );
}
