import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../design/button.tsx';
import { Card, Page } from '../../design/page.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { MessageStatusBadge } from '../messages/message-status-badge.tsx';
import { newestMessagesQuery } from '../messages/messages.ts';
import { useOrganization } from '../organizations/organization.ts';
import { Checklist } from './checklist.tsx';
import { useText } from './text.ts';
import { useSteps } from './use-steps.ts';

/** The first page of an organization: the first steps until they are done, and the newest messages. */
export function OverviewPage(): ReactNode {
  const t = useText();
  const { slug } = useOrganization();
  const { steps, error, isPending, refetch } = useSteps();
  const isDone = steps.every((step) => step.state === 'done');
  return (
    <Page
      title={t('title')}
      actions={
        <ButtonLink variant="primary" to="/o/$organization/messages/send" params={{ organization: slug }}>
          {t('send')}
        </ButtonLink>
      }
    >
      {error !== null && <ErrorState error={error} onRetry={refetch} />}
      {isPending && error === null && (
        <Card title={t('firstSteps')}>
          <div role="status" aria-label={t('loading')} className="flex flex-col gap-4">
            <Skeleton className="w-2/3" />
            <Skeleton className="w-1/2" />
          </div>
        </Card>
      )}
      {!isPending && error === null && !isDone && <Checklist steps={steps} />}
      <NewestMessages />
    </Page>
  );
}

function NewestMessages(): ReactNode {
  const t = useText();
  const format = useFormat();
  const { organizationId, slug } = useOrganization();
  const [{ data }] = useQueries({ queries: [newestMessagesQuery(organizationId)] });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Card
      title={t('newestMessages')}
      className=""
      aside={
        <Link
          to="/o/$organization/messages"
          params={{ organization: slug }}
          className="text-sm text-accent hover:underline"
        >
          {t('allMessages')}
        </Link>
      }
    >
      <ul className="divide-y divide-line">
        {data.data.slice(0, 5).map((message) => (
          <li key={message.id} className="relative flex items-center gap-3 px-4 py-2.5 hover:bg-hover/60">
            <Link
              to="/o/$organization/messages/$messageId"
              params={{ organization: slug, messageId: message.id }}
              className="row-link w-32 shrink-0 font-mono text-sm"
            >
              {message.to}
            </Link>
            <span className="min-w-0 flex-1 truncate text-muted max-sm:hidden">{message.text}</span>
            <span className="ml-auto">
              <MessageStatusBadge status={message.status} />
            </span>
            <span className="w-36 shrink-0 text-right whitespace-nowrap text-sm text-muted max-sm:hidden">
              {format.ago(message.createdAt)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
