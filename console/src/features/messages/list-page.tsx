import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { MessageSquareText, Plus } from 'lucide-react';
import type { Message } from 'sms-service-client';
import { useEffect, useMemo, type ReactNode } from 'react';
import { Ago } from '../../design/ago.tsx';
import { Badge } from '../../design/badge.tsx';
import { ButtonLink } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { EmptyState } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { List } from '../../records/list.tsx';
import { useList, type ListState } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { Filters } from './filters.tsx';
import { mergeNewest } from './merge-newest.ts';
import { MessageStatusBadge } from './message-status-badge.tsx';
import { messagesQuery, newestMessagesQuery, type MessageFilters } from './messages.ts';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/o/$organization/messages');

/** The messages of the organization, live. */
export function ListPage(): ReactNode {
  const t = useText();
  const { slug } = useOrganization();
  const filters = route.useSearch();
  return (
    <Page
      title={t('title')}
      actions={
        <ButtonLink
          variant="primary"
          to="/o/$organization/messages/send"
          params={{ organization: slug }}
          icon={<Plus aria-hidden className="size-4" />}
        >
          {t('send')}
        </ButtonLink>
      }
    >
      <Filters filters={filters} />
      <Messages filters={filters} />
    </Page>
  );
}

function Messages({ filters }: { filters: MessageFilters }): ReactNode {
  const t = useText();
  const { slug } = useOrganization();
  const list = useLiveMessages(filters);
  const columns = useColumns();
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <List
      list={list}
      label={t('title')}
      columns={columns}
      empty={
        <EmptyState
          icon={MessageSquareText}
          title={isFiltered ? t('noneMatch') : t('none')}
          description={isFiltered ? t('noneMatchHint') : t('noneHint')}
          action={
            isFiltered ? (
              <ButtonLink to="/o/$organization/messages" params={{ organization: slug }}>
                {t('clearFilters')}
              </ButtonLink>
            ) : (
              <ButtonLink to="/o/$organization/messages/send" params={{ organization: slug }}>
                {t('send')}
              </ButtonLink>
            )
          }
        />
      }
    />
  );
}

function useColumns(): Column<Message>[] {
  const t = useText();
  const { slug } = useOrganization();
  return useMemo(
    () => [
      {
        id: 'to',
        header: t('recipient'),
        width: 'w-44 max-sm:w-auto',
        cell: ({ id, to }) => (
          <Link
            to="/o/$organization/messages/$messageId"
            params={{ organization: slug, messageId: id }}
            className="row-link font-mono text-sm"
          >
            {to}
          </Link>
        ),
      },
      { id: 'from', header: t('sender'), width: 'w-36', isHiddenOnPhone: true, cell: ({ from }) => from },
      {
        id: 'text',
        header: t('text'),
        isHiddenOnPhone: true,
        cell: ({ text, environment }) => (
          <span className="flex items-center gap-2">
            {environment === 'test' && <Badge tone="accent">{t('test')}</Badge>}
            <span className="truncate text-muted">{text}</span>
          </span>
        ),
      },
      {
        id: 'status',
        header: t('status'),
        width: 'w-32 max-sm:w-28',
        cell: ({ status }) => <MessageStatusBadge status={status} />,
      },
      {
        id: 'createdAt',
        header: t('created'),
        width: 'w-40 max-sm:w-20',
        align: 'end',
        cell: ({ createdAt }) => <Ago at={createdAt} />,
      },
    ],
    [slug, t],
  );
}

/** The list, kept up to date with its newest page. */
function useLiveMessages(filters: MessageFilters): ListState<Message> {
  const { organizationId } = useOrganization();
  const queryClient = useQueryClient();
  const query = messagesQuery(organizationId, filters);
  const list = useList(query);
  const { data: newest } = useQuery(newestMessagesQuery(organizationId, filters));
  const { items, isPending } = list;
  const merged = useMemo(
    () => (isPending || newest === undefined ? items : mergeNewest(items, newest)),
    [isPending, items, newest],
  );
  const { queryKey } = query;
  useEffect(() => {
    if (merged !== null || newest === undefined) return;
    queryClient.setQueryData(queryKey, { pages: [newest], pageParams: [{}] });
  }, [merged, newest, queryClient, queryKey]);
  return { ...list, items: merged ?? items };
}
