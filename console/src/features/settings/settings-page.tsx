import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { OrganizationLimits } from 'sms-service-client';
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
    // It also says how much of the caps on messages is used.
    staleTime: 30_000,
  });
}

/** The caps on live messages that administrators have set, and how much of them is used. */
function sendingFacts(
  sending: OrganizationLimits['sending'],
  t: ReturnType<typeof useText>,
): { name: string; value: string }[] {
  const { messagesPerHour, recipientMessagesPerHour, recipientMessagesPerDay, prefixes, newOrganization } =
    sending;
  return [
    messagesPerHour && { name: t('liveMessages'), value: t('usedThisHour', messagesPerHour) },
    newOrganization && {
      name: t('liveMessagesOfNew'),
      value: t('usedToday', newOrganization.messagesPerDay),
    },
    recipientMessagesPerHour !== null && {
      name: t('liveMessagesToNumber'),
      value: t('perHour', { count: recipientMessagesPerHour }),
    },
    recipientMessagesPerDay !== null && {
      name: t('liveMessagesToNumberInDay'),
      value: t('perDay', { count: recipientMessagesPerDay }),
    },
    ...prefixes.map(({ prefix, cap }) => ({
      name: t('liveMessagesToPrefix', { prefix }),
      value: t('usedThisHour', cap),
    })),
  ].filter((fact) => fact !== null && fact !== false);
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
            ...sendingFacts(limits.sending, t),
          ]}
        />
      )}
      <p className="text-sm text-muted">{t('limitsHint')}</p>
    </Card>
  );
}
