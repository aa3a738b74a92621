import { CalendarClock, Plus } from 'lucide-react';
import type { MessageSchedule } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import { ButtonLink } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { EmptyState } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { useOrganization } from '../organizations/organization.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';
import { schedulesQuery } from './schedules.ts';
import { ScheduleStatus } from './schedule-status.tsx';
import { useText } from './text.ts';

/** The messages that are sent later or repeatedly. */
export function ListPage(): ReactNode {
  const t = useText();
  const { organizationId, slug } = useOrganization();
  const [openId, setOpenId] = useState<string>();
  const list = useList(schedulesQuery(organizationId));
  const columns = useColumns(setOpenId);
  const create = (
    <ButtonLink
      variant="primary"
      to="/o/$organization/schedules/new"
      params={{ organization: slug }}
      icon={<Plus aria-hidden className="size-4" />}
    >
      {t('create')}
    </ButtonLink>
  );
  return (
    <Page title={t('title')} description={t('description')} actions={list.items.length > 0 && create}>
      <List
        list={list}
        label={t('title')}
        columns={columns}
        empty={
          <EmptyState icon={CalendarClock} title={t('none')} description={t('noneHint')} action={create} />
        }
      />
      <ScheduleDialog
        schedule={list.items.find(({ id }) => id === openId)}
        onClose={() => setOpenId(undefined)}
      />
    </Page>
  );
}

function useColumns(open: (id: string) => void): Column<MessageSchedule>[] {
  const t = useText();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'to',
        header: t('recipient'),
        width: 'w-44 max-sm:w-auto',
        cell: ({ id, to }) => (
          <button type="button" className="row-link font-mono text-sm" onClick={() => open(id)}>
            {to}
          </button>
        ),
      },
      {
        id: 'text',
        header: t('text'),
        isHiddenOnPhone: true,
        cell: ({ text }) => <span className="text-muted">{text}</span>,
      },
      {
        id: 'repeats',
        header: t('repeats'),
        width: 'w-36',
        isHiddenOnPhone: true,
        cell: ({ recurrence }) =>
          recurrence === null ? t('once') : t(`every_${recurrence.unit}`, { count: recurrence.interval }),
      },
      {
        id: 'status',
        header: t('status'),
        width: 'w-32 max-sm:w-30',
        cell: ({ status }) => <ScheduleStatus status={status} />,
      },
      {
        id: 'nextRunAt',
        header: t('nextRun'),
        width: 'w-44',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ nextRunAt, timezone }) => (
          <span className="text-sm text-muted">
            {nextRunAt === null ? '–' : format.dateTimeIn(nextRunAt, timezone)}
          </span>
        ),
      },
    ],
    [format, open, t],
  );
}
