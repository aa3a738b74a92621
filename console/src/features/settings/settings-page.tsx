import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sms } from '../../api.ts';
import { Copyable } from '../../design/copyable.tsx';
import { ForbiddenState } from '../../design/forbidden-state.tsx';
import { Card, Facts, Page } from '../../design/page.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { OrganizationForm } from './organization-form.tsx';
import { RetentionCard } from './retention-form.tsx';
import { useText } from './text.ts';

/** What owners and administrators set for the organization, and what the operator allows it. */
export function SettingsPage(): ReactNode {
  const t = useText();
  const { organizationId, isManager } = useOrganization();
  if (!isManager) {
    return (
      <Page title={t('title')} width="narrow">
        <ForbiddenState />
      </Page>
    );
  }
  return (
    <Page title={t('title')} description={t('description')} width="narrow">
      <OrganizationForm key={organizationId} />
      <Identity />
      <Limits />
      <RetentionCard />
    </Page>
  );
}

function Identity(): ReactNode {
  const t = useText();
  const { organizationId, slug } = useOrganization();
  return (
    <Card>
      <Facts
        facts={[
          { name: t('address'), value: <Copyable value={`/console/o/${slug}`} /> },
          { name: t('identifier'), value: <Copyable value={organizationId} /> },
        ]}
      />
    </Card>
  );
}

function limitsQuery(organizationId: string) {
  return queryOptions({
    queryKey: [organizationId, 'limits'],
    queryFn: ({ signal }) => sms.organizations.getLimits({ organizationId }, { signal }),
    staleTime: Infinity,
  });
}

function Limits(): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const { data: limits, error, refetch } = useQuery(limitsQuery(organizationId));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <Card title={t('limits')} className="flex flex-col gap-4 p-4">
      {limits === undefined ? (
        <Skeleton className="w-2/3" />
      ) : (
        <Facts
          facts={[
            { name: t('requests'), value: t('perMinute', { count: limits.requestsPerMinute }) },
            {
              name: t('requestsOfCaller'),
              value: t('perMinute', { count: limits.requestsPerMinuteOfCaller }),
            },
            { name: t('invitations'), value: t('perDay', { count: limits.invitationsPerDayOfUser }) },
            {
              name: t('codes'),
              value: t('codesIn', {
                codes: limits.securityCodesPerRecipient.codes,
                minutes: limits.securityCodesPerRecipient.windowSeconds / 60,
              }),
            },
          ]}
        />
      )}
      <p className="text-sm text-muted">{t('limitsHint')}</p>
    </Card>
  );
}
