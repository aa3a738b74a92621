import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { InboundThreadEntry } from 'sms-service-client';
import { useMemo, type ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Card, Page } from '../../design/page.tsx';
import { ErrorState, PageSkeleton } from '../../design/states.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { threadQuery } from './inbound.ts';
import { ReplyForm } from './reply-form.tsx';
import { ThreadEntry } from './thread-entry.tsx';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/o/$organization/inbound/conversations/$messageId');

/** What one phone and one number wrote to each other, live, and the form to write back. */
export function ThreadPage(): ReactNode {
  const t = useText();
  const { organizationId, slug } = useOrganization();
  const { messageId } = route.useParams();
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery(
    threadQuery(organizationId, messageId),
  );
  const entries = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data]);
  const partners = partnersOf(entries);
  if (partners === null) {
    return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const { phone, number } = partners;
  return (
    <Page
      width="narrow"
      title={phone}
      description={t('withNumber', { number })}
      breadcrumbs={[
        { label: t('title'), link: { to: '/o/$organization/inbound', params: { organization: slug } } },
      ]}
    >
      <Card className="flex flex-col">
        {hasNextPage && (
          <div className="flex justify-center border-b border-line p-3">
            <Button size="small" isPending={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t('earlier')}
            </Button>
          </div>
        )}
        <ol aria-label={t('conversation')} className="flex flex-col gap-3 p-4">
          {entries.toReversed().map((entry) => (
            <ThreadEntry key={entry.id} entry={entry} />
          ))}
        </ol>
        <ReplyForm phone={phone} number={number} />
      </Card>
    </Page>
  );
}

/** The phone and the number, as any message between them names them. */
function partnersOf([entry]: InboundThreadEntry[]): { phone: string; number: string } | null {
  if (entry === undefined) return null;
  const { direction, from, to } = entry;
  return direction === 'inbound' ? { phone: from, number: to } : { phone: to, number: from };
}
