import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { BulkSms } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Copyable } from '../../design/copyable.tsx';
import { Card, Facts, Page } from '../../design/page.tsx';
import { ErrorState, Notice, PageSkeleton } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { WorkflowLink } from '../administration/workflow-link.tsx';
import { useUser } from '../auth/session.ts';
import { allCampaignsQuery } from '../campaigns/campaigns.ts';
import { PhonePreview } from '../messages/phone-preview.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { allPhonebooksQuery } from '../phonebooks/phonebooks.ts';
import { BatchActions } from './batch-actions.tsx';
import { BatchStatusBadge } from './batch-status-badge.tsx';
import { useLiveBatch } from './bulk-sms.ts';
import { Failures } from './failures.tsx';
import { LedgerFigures } from './ledger.tsx';
import { Recipients } from './recipients.tsx';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/o/$organization/bulk-sms/$bulkSmsId');

/** One batch, live: where each recipient is, how fast it goes, and what can be done. */
export function BatchPage(): ReactNode {
  const t = useText();
  const { organizationId, slug } = useOrganization();
  const { bulkSmsId } = route.useParams();
  const { data: batch, error, refetch } = useLiveBatch(organizationId, bulkSmsId);
  const { data: campaigns } = useQuery(allCampaignsQuery(organizationId));
  const breadcrumbs = [
    {
      label: t('title'),
      link: { to: '/o/$organization/bulk-sms' as const, params: { organization: slug } },
    },
  ];
  if (batch === undefined && error !== null) {
    return (
      <Page title={t('batch')} breadcrumbs={breadcrumbs}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  if (batch === undefined) return <PageSkeleton />;
  const campaign = campaigns?.find(({ id }) => id === batch.campaignId);
  return (
    <Page
      title={campaign === undefined ? t('batch') : t('batchOf', { campaign: campaign.name })}
      description={<BatchStatusBadge status={batch.status} />}
      breadcrumbs={breadcrumbs}
      actions={<BatchActions batch={batch} />}
    >
      <State batch={batch} />
      <Card title={t('progress')}>
        <LedgerFigures ledger={batch.ledger} />
        <Pace batch={batch} />
      </Card>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-5">
          {batch.ledger.failed > 0 && <Failures batch={batch} />}
          <Recipients batch={batch} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Card title={t('text')}>
            <PhonePreview sender={batch.from} parts={[batch.text]} />
          </Card>
          <Card title={t('details')}>
            <BatchFacts batch={batch} />
          </Card>
        </div>
      </div>
    </Page>
  );
}

/** What the reader must know of the status, and what to do next. */
function State({ batch }: { batch: BulkSms }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { status, failure, scheduledAt } = batch;
  if (failure !== null) {
    return (
      <Notice tone="danger" title={t('failedTitle')}>
        {failure.message}
      </Notice>
    );
  }
  if (status === 'paused') {
    return (
      <Notice tone="warning" title={t('pausedTitle')}>
        {t('pausedHint')}
      </Notice>
    );
  }
  if (status !== 'scheduled' || scheduledAt === null) return null;
  return <Notice tone="info" title={t('startsAt', { time: format.dateTime(scheduledAt) })} />;
}

/** How fast the batch is sent, and when it will be at its end. */
function Pace({ batch }: { batch: BulkSms }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { measuredRatePerSecond: measured, ratePerSecond: limit, estimatedEndAt, completedAt } = batch;
  const pace = [
    ...(measured === null ? [] : [t('rateIs', { rate: format.number(Math.round(measured)) })]),
    ...(limit === null ? [] : [t('limitIs', { rate: format.number(limit) })]),
    ...(estimatedEndAt === null ? [] : [t('endsAt', { time: format.dateTime(estimatedEndAt) })]),
    ...(completedAt === null ? [] : [t('endedAt', { time: format.dateTime(completedAt) })]),
  ];
  if (pace.length === 0) return null;
  return <p className="mt-4 text-sm text-muted tabular-nums">{pace.join(' · ')}</p>;
}

function BatchFacts({ batch }: { batch: BulkSms }): ReactNode {
  const t = useText();
  const isAdministrator = useUser().role === 'admin';
  const format = useFormat();
  const { organizationId } = useOrganization();
  const { data: phonebooks } = useQuery(allPhonebooksQuery(organizationId));
  const { id, from, segments, refused, createdAt, startedAt, contactListId } = batch;
  const phonebook = phonebooks?.find((one) => one.id === contactListId);
  const skipped = (['optedOut', 'duplicates', 'invalid'] as const).filter((reason) => refused[reason] > 0);
  return (
    <Facts
      facts={[
        { name: t('id'), value: <Copyable value={id} shown={`${id.slice(0, 8)}…${id.slice(-6)}`} /> },
        { name: t('sender'), value: from },
        ...(phonebook === undefined ? [] : [{ name: t('phonebook'), value: phonebook.name }]),
        { name: t('segments'), value: format.number(segments) },
        ...skipped.map((reason) => ({ name: t(`refused_${reason}`), value: format.number(refused[reason]) })),
        { name: t('created'), value: format.dateTime(createdAt) },
        ...(startedAt === null ? [] : [{ name: t('started'), value: format.dateTime(startedAt) }]),
        ...(isAdministrator
          ? [{ name: t('workflow'), value: <WorkflowLink workflowId={`bulk-sms/${id}`} /> }]
          : []),
      ]}
    />
  );
}
