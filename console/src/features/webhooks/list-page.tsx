import { getRouteApi } from '@tanstack/react-router';
import { RotateCw, Webhook } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { Select } from '../../design/select.tsx';
import { EmptyState } from '../../design/states.tsx';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { deliveriesQuery, deliveryStatuses, environments, type DeliveryFilters } from './deliveries.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { RedriveManyDialog } from './redrive-many-dialog.tsx';
import { useText } from './text.ts';
import { useDeliveryColumns } from './use-delivery-columns.tsx';

const route = getRouteApi('/signed-in/o/$organization/webhook-deliveries');
const all = 'all';

/** The requests to the organization's webhooks, live. */
export function ListPage(): ReactNode {
  const t = useText();
  const { organizationId, isManager } = useOrganization();
  const filters = route.useSearch();
  const [openId, setOpenId] = useState<string>();
  const [isRedriving, setRedriving] = useState(false);
  const columns = useDeliveryColumns(setOpenId);
  const list = useList(deliveriesQuery(organizationId, filters));
  const hasDead = list.items.some(({ status }) => status === 'dead');
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        isManager &&
        hasDead && (
          <Button icon={<RotateCw aria-hidden className="size-4" />} onClick={() => setRedriving(true)}>
            {t('redriveAll')}
          </Button>
        )
      }
    >
      <Filters filters={filters} />
      <List
        list={list}
        label={t('title')}
        columns={columns}
        empty={
          <EmptyState
            icon={Webhook}
            title={isFiltered ? t('noneMatch') : t('none')}
            description={isFiltered ? t('noneMatchHint') : t('noneHint')}
          />
        }
      />
      <DeliveryDialog
        delivery={list.items.find(({ id }) => id === openId)}
        mayRedrive={isManager}
        onClose={() => setOpenId(undefined)}
      />
      <RedriveManyDialog
        isOpen={isRedriving}
        environment={filters.environment}
        onClose={() => setRedriving(false)}
      />
    </Page>
  );
}

function Filters({ filters }: { filters: DeliveryFilters }): ReactNode {
  const t = useText();
  const navigate = route.useNavigate();
  const change = (changed: Record<string, string | undefined>): void => {
    const kept = Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== undefined);
    void navigate({ search: Object.fromEntries(kept), replace: true });
  };
  return (
    <search className="flex flex-wrap items-center gap-2">
      <Select
        label={t('status')}
        className="w-40 max-sm:flex-1"
        options={[
          { value: all, label: t('anyStatus') },
          ...deliveryStatuses.map((value) => ({ value, label: t(value) })),
        ]}
        value={filters.status ?? all}
        onChange={(value) => change({ status: value === all ? undefined : value })}
      />
      <Select
        label={t('environment')}
        className="w-40 max-sm:flex-1"
        options={[
          { value: all, label: t('liveAndTest') },
          ...environments.map((value) => ({ value, label: t(value) })),
        ]}
        value={filters.environment ?? all}
        onChange={(value) => change({ environment: value === all ? undefined : value })}
      />
    </search>
  );
}
