import { Flag } from 'lucide-react';
import type { Campaign, CampaignStatus } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import { Badge, type Tone } from '../../design/badge.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { RecordsPage } from '../../records/records-page.tsx';
import { useList } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { CampaignDialog } from './campaign-dialog.tsx';
import { campaignsQuery } from './campaigns.ts';
import { useText } from './text.ts';

const tones: Record<CampaignStatus, Tone> = { active: 'success', paused: 'warning', archived: 'neutral' };

/** The campaigns of the organization: what batches are grouped by. */
export function CampaignsPage(): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const [search, setSearch] = useState('');
  const [edited, setEdited] = useState<Campaign | 'new' | null>(null);
  const columns = useColumns(setEdited);
  const list = useList(campaignsQuery(organizationId, search === '' ? {} : { search }));
  return (
    <RecordsPage
      title={t('title')}
      description={t('hint')}
      create={{ label: t('create'), onClick: () => setEdited('new') }}
      search={{ label: t('search'), value: search, onChange: setSearch }}
      list={list}
      columns={columns}
      empty={{
        icon: Flag,
        title: search === '' ? t('none') : t('noneMatch'),
        description: search === '' ? t('noneHint') : t('noneMatchHint'),
      }}
    >
      {edited !== null && <CampaignDialog campaign={edited} onClose={() => setEdited(null)} />}
    </RecordsPage>
  );
}

function useColumns(onOpen: (campaign: Campaign) => void): Column<Campaign>[] {
  const t = useText();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('name'),
        cell: (campaign) => (
          <button type="button" className="row-link font-medium" onClick={() => onOpen(campaign)}>
            {campaign.name}
          </button>
        ),
      },
      {
        id: 'sender',
        header: t('sender'),
        width: 'w-40',
        isHiddenOnPhone: true,
        cell: ({ sender }) => sender ?? <span className="text-muted">{t('defaultSender')}</span>,
      },
      {
        id: 'status',
        header: t('status'),
        width: 'w-32 max-sm:w-28',
        cell: ({ status }) => <Badge tone={tones[status]}>{t(status)}</Badge>,
      },
      {
        id: 'batches',
        header: t('batches'),
        width: 'w-24',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ batches }) => <span className="tabular-nums">{format.number(batches)}</span>,
      },
      {
        id: 'messages',
        header: t('messages'),
        width: 'w-28 max-sm:w-24',
        align: 'end',
        cell: ({ messages }) => <span className="tabular-nums">{format.number(messages)}</span>,
      },
    ],
    [format, onOpen, t],
  );
}
