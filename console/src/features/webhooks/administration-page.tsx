import { getRouteApi } from '@tanstack/react-router';
import { RotateCw, Webhook } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ButtonLink } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { Select } from '../../design/select.tsx';
import { EmptyState } from '../../design/states.tsx';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { AdministratorsDeliveryDialog } from './administrators-delivery-dialog.tsx';
import { allDeliveriesQuery, deliveryStatuses } from './deliveries.ts';
import { useText } from './text.ts';
import { useDeliveryColumns } from './use-delivery-columns.tsx';

const route = getRouteApi('/signed-in/admin/webhook-deliveries');

/** The webhook deliveries of all organizations; at first the dead ones. */
export function AdministrationPage(): ReactNode {
  const t = useText();
  const navigate = route.useNavigate();
  const { status = 'dead' } = route.useSearch();
  const [openId, setOpenId] = useState<string>();
  const list = useList(allDeliveriesQuery(status));
  const columns = useDeliveryColumns(setOpenId);
  const empty =
    status === 'dead'
      ? { title: t('noneDead'), description: t('noneDeadHint') }
      : { title: t('noneMatch'), description: t('noneMatchHint') };
  return (
    <Page
      title={t('title')}
      description={t('allDescription')}
      actions={
        <ButtonLink
          to="/admin/redrives"
          search={{ start: 'webhook_deliveries' }}
          icon={<RotateCw aria-hidden className="size-4" />}
        >
          {t('redriveByFilter')}
        </ButtonLink>
      }
    >
      <search>
        <Select
          label={t('status')}
          className="w-48"
          options={deliveryStatuses.map((value) => ({ value, label: t(value) }))}
          value={status}
          onChange={(value) => void navigate({ search: { status: value }, replace: true })}
        />
      </search>
      <List
        list={list}
        label={t('title')}
        columns={columns}
        empty={<EmptyState icon={Webhook} {...empty} />}
      />
      <AdministratorsDeliveryDialog
        delivery={list.items.find(({ id }) => id === openId)}
        onClose={() => setOpenId(undefined)}
      />
    </Page>
  );
}
