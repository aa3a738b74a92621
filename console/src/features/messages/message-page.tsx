import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import type { Message } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Badge } from '../../design/badge.tsx';
import { ButtonLink } from '../../design/button.tsx';
import { Copyable, CopyableBlock } from '../../design/copyable.tsx';
import { Card, Facts, Page } from '../../design/page.tsx';
import { ErrorState, Notice, PageSkeleton } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { WorkflowLink } from '../administration/workflow-link.tsx';
import { useUser } from '../auth/session.ts';
import { MessageWebhooks } from '../webhooks/message-webhooks.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { curlOf } from './curl-of.ts';
import { MessageStatusBadge } from './message-status-badge.tsx';
import { messageQuery, timelineQuery } from './messages.ts';
import { PhonePreview } from './phone-preview.tsx';
import { Stages } from './stages.tsx';
import { useText } from './text.ts';
import { Timeline } from './timeline.tsx';

const route = getRouteApi('/signed-in/o/$organization/messages/$messageId');

/** One message, live: where it is, what has happened, and what it was. */
export function MessagePage(): ReactNode {
  const t = useText();
  const { organizationId, slug } = useOrganization();
  const { messageId } = route.useParams();
  const { data: message, error, refetch } = useQuery(messageQuery(organizationId, messageId));
  const breadcrumbs = [
    {
      label: t('title'),
      link: { to: '/o/$organization/messages' as const, params: { organization: slug } },
    },
  ];
  if (message === undefined && error !== null) {
    return (
      <Page title={t('oneMessage')} breadcrumbs={breadcrumbs}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  if (message === undefined) return <PageSkeleton />;
  return (
    <Page
      title={t('messageTo', { recipient: message.to })}
      breadcrumbs={breadcrumbs}
      description={
        <span className="flex items-center gap-2">
          <MessageStatusBadge status={message.status} />
          {message.environment === 'test' && <Badge tone="accent">{t('test')}</Badge>}
        </span>
      }
      actions={
        <ButtonLink
          to="/o/$organization/messages/send"
          params={{ organization: slug }}
          search={{ to: message.to, text: message.text, from: message.from }}
          icon={<Send aria-hidden className="size-4" />}
        >
          {t('sendAgain')}
        </ButtonLink>
      }
    >
      {message.errorCode !== null && (
        <Notice tone="danger" title={t('failedBecause', { code: message.errorCode })}>
          {message.errorMessage}
        </Notice>
      )}
      <Card title={t('progress')}>
        <Stages message={message} />
      </Card>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <Card title={t('timeline')} className="">
            <MessageTimeline messageId={messageId} />
          </Card>
          <MessageWebhooks messageId={messageId} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Card title={t('text')}>
            <PhonePreview sender={message.from} parts={[message.text]} />
          </Card>
          <Card title={t('details')}>
            <MessageFacts message={message} />
          </Card>
          <Card title={t('asCommand')}>
            <CopyableBlock label={t('asCommand')} text={curlOf(message)} />
          </Card>
        </div>
      </div>
    </Page>
  );
}

function MessageTimeline({ messageId }: { messageId: string }): ReactNode {
  const { organizationId } = useOrganization();
  const { data, error, refetch } = useQuery(timelineQuery(organizationId, messageId));
  if (data === undefined) {
    return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return <Timeline entries={data.data} />;
}

function MessageFacts({ message }: { message: Message }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { organizationId } = useOrganization();
  const { data: timeline } = useQuery(timelineQuery(organizationId, message.id));
  const isAdministrator = useUser().role === 'admin';
  const workflowId = isAdministrator ? (timeline?.workflowId ?? null) : null;
  const { id, from, to, segments, providerMessageId, createdAt, metadata, environment } = message;
  const hasMetadata = Object.keys(metadata).length > 0;
  return (
    <Facts
      facts={[
        { name: t('id'), value: <Copyable value={id} shown={`${id.slice(0, 8)}…${id.slice(-6)}`} /> },
        { name: t('sender'), value: from },
        { name: t('recipient'), value: <Copyable value={to} /> },
        { name: t('segments'), value: format.number(segments) },
        { name: t('environment'), value: t(environment) },
        { name: t('created'), value: format.dateTime(createdAt) },
        ...(providerMessageId === null
          ? []
          : [{ name: t('providerId'), value: <Copyable value={providerMessageId} /> }]),
        ...(workflowId === null
          ? []
          : [{ name: t('workflow'), value: <WorkflowLink workflowId={workflowId} /> }]),
        ...(hasMetadata
          ? [{ name: t('metadata'), value: <code className="text-xs">{JSON.stringify(metadata)}</code> }]
          : []),
      ]}
    />
  );
}
