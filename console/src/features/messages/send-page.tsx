import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Page } from '../../design/page.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { SendForm } from './send-form.tsx';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/o/$organization/messages/send');

/** Sends one message. */
export function SendPage(): ReactNode {
  const t = useText();
  const { slug } = useOrganization();
  const prefill = route.useSearch();
  return (
    <Page
      title={t('sendTitle')}
      breadcrumbs={[
        {
          label: t('title'),
          link: { to: '/o/$organization/messages', params: { organization: slug } },
        },
      ]}
    >
      <SendForm prefill={prefill} />
    </Page>
  );
}
