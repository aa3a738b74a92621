import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../../design/page.tsx';
import { ErrorState, PageSkeleton } from '../../../design/states.tsx';
import { allCampaignsQuery } from '../../campaigns/campaigns.ts';
import { useOrganization } from '../../organizations/organization.ts';
import { allPhonebooksQuery } from '../../phonebooks/phonebooks.ts';
import { useText } from '../text.ts';
import { Wizard } from './wizard.tsx';

const route = getRouteApi('/signed-in/o/$organization/bulk-sms/new');

/** Sends a text to a phonebook, in three steps: to whom, what, and when. */
export function WizardPage(): ReactNode {
  const t = useText();
  const { organizationId, slug } = useOrganization();
  const prefill = route.useSearch();
  const phonebooks = useQuery(allPhonebooksQuery(organizationId));
  const campaigns = useQuery(allCampaignsQuery(organizationId));
  const error = phonebooks.error ?? campaigns.error;
  const retry = (): void => void Promise.all([phonebooks.refetch(), campaigns.refetch()]);
  return (
    <Page
      title={t('create')}
      breadcrumbs={[
        { label: t('title'), link: { to: '/o/$organization/bulk-sms', params: { organization: slug } } },
      ]}
    >
      {phonebooks.data !== undefined && campaigns.data !== undefined ? (
        <Wizard
          prefill={prefill}
          phonebooks={phonebooks.data}
          campaigns={campaigns.data.filter(({ status }) => status === 'active')}
        />
      ) : error === null ? (
        <PageSkeleton />
      ) : (
        <ErrorState error={error} onRetry={retry} />
      )}
    </Page>
  );
}
