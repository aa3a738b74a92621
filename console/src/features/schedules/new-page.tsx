import type { ReactNode } from 'react';
import { Page } from '../../design/page.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { ScheduleForm } from './schedule-form.tsx';
import { useText } from './text.ts';

export function NewPage(): ReactNode {
  const t = useText();
  const { slug } = useOrganization();
  return (
    <Page
      title={t('newTitle')}
      breadcrumbs={[
        { label: t('title'), link: { to: '/o/$organization/schedules', params: { organization: slug } } },
      ]}
    >
      <ScheduleForm />
    </Page>
  );
}
