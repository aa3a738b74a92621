import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Settings, ShieldCheck, Undo2 } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import type { SecurityCodeAlarm, SecurityCodeWatch } from 'sms-service-client';
import { sms } from '../../api.ts';
import { Ago } from '../../design/ago.tsx';
import { Badge } from '../../design/badge.tsx';
import { Button, IconButton } from '../../design/button.tsx';
import { Page } from '../../design/page.tsx';
import { Select } from '../../design/select.tsx';
import { EmptyState, Notice } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import { ConfirmDialog } from '../../records/confirm-dialog.tsx';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { alarmsQuery, securityCodeWatchKey, watchQuery } from './security-code-watch.ts';
import { useText } from './text.ts';
import { WatchDialog } from './watch-dialog.tsx';

const route = getRouteApi('/signed-in/admin/security-codes');

/** The alarms about codes that nobody verifies, their release, and the settings by which they are raised. */
export function AlarmsPage(): ReactNode {
  const t = useText();
  const navigate = route.useNavigate();
  const isLasting = route.useSearch().show !== 'all';
  const { data: watch } = useQuery(watchQuery);
  const [isChanging, setChanging] = useState(false);
  const [released, setReleased] = useState<SecurityCodeAlarm | null>(null);
  const columns = useColumns(setReleased);
  const list = useList(alarmsQuery(isLasting));
  const choose = (show: string): void =>
    void navigate({ search: show === 'all' ? { show } : {}, replace: true });
  return (
    <Page
      title={t('title')}
      description={t('description')}
      actions={
        <Button
          icon={<Settings aria-hidden className="size-4" />}
          disabled={watch === undefined}
          onClick={() => setChanging(true)}
        >
          {t('settings')}
        </Button>
      }
    >
      {watch !== undefined && <ModeNotice watch={watch} />}
      <Select
        label={t('show')}
        className="w-48"
        value={isLasting ? 'lasting' : 'all'}
        options={(['lasting', 'all'] as const).map((value) => ({ value, label: t(value) }))}
        onChange={choose}
      />
      <List
        list={list}
        label={t('title')}
        columns={columns}
        empty={
          <EmptyState
            icon={ShieldCheck}
            title={t(isLasting ? 'noneLasting' : 'none')}
            description={t('noneHint')}
          />
        }
      />
      {isChanging && watch !== undefined && <WatchDialog watch={watch} onClose={() => setChanging(false)} />}
      {released !== null && <ReleaseDialog alarm={released} onClose={() => setReleased(null)} />}
    </Page>
  );
}

function ModeNotice({ watch }: { watch: SecurityCodeWatch }): ReactNode {
  const t = useText();
  const { mode, minCodes: codes, minVerifiedPercent: percent, holdHours: hours } = watch;
  return (
    <Notice tone={mode === 'off' ? 'warning' : 'info'}>
      {mode === 'off' && t('mode_off')}
      {mode === 'alarm' && t('mode_alarm', { codes, percent })}
      {mode === 'hold' && t('mode_hold', { codes, percent, hours })}
    </Notice>
  );
}

function ReleaseDialog({ alarm, onClose }: { alarm: SecurityCodeAlarm; onClose: () => void }): ReactNode {
  const t = useText();
  const { id, prefix, organizationName: organization } = alarm;
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={t('releaseTitle', { prefix, organization })}
      description={t('releaseHint')}
      confirm={t('release')}
      run={() => sms.admin.releaseSecurityCodeAlarm(id)}
      done={t('released', { prefix })}
      changes={[securityCodeWatchKey]}
    />
  );
}

function useColumns(release: (alarm: SecurityCodeAlarm) => void): Column<SecurityCodeAlarm>[] {
  const t = useText();
  const format = useFormat();
  return useMemo(
    () => [
      { id: 'organization', header: t('organization'), cell: ({ organizationName }) => organizationName },
      {
        id: 'prefix',
        header: t('prefix'),
        width: 'w-28 max-sm:w-24',
        cell: ({ prefix }) => <span className="font-mono text-sm">{prefix}</span>,
      },
      {
        id: 'verified',
        header: t('verified'),
        width: 'w-36',
        isHiddenOnPhone: true,
        cell: ({ codes, verified }) =>
          t('ofCodes', { codes: format.number(codes), verified: format.number(verified) }),
      },
      {
        id: 'state',
        header: t('state'),
        width: 'w-40 max-sm:w-36',
        cell: ({ holds, endedAt }) => {
          const [tone, state] =
            endedAt !== null
              ? (['neutral', 'ended'] as const)
              : holds
                ? (['danger', 'held'] as const)
                : (['warning', 'warned'] as const);
          return <Badge tone={tone}>{t(`state_${state}`)}</Badge>;
        },
      },
      {
        id: 'raisedAt',
        header: t('raised'),
        width: 'w-28',
        align: 'end',
        isHiddenOnPhone: true,
        cell: ({ raisedAt }) => <Ago at={raisedAt} />,
      },
      {
        id: 'actions',
        header: t('actions'),
        width: 'w-20',
        align: 'end',
        cell: (alarm) =>
          alarm.endedAt === null && (
            <IconButton
              label={t('releasePrefix', { prefix: alarm.prefix, organization: alarm.organizationName })}
              onClick={() => release(alarm)}
            >
              <Undo2 aria-hidden />
            </IconButton>
          ),
      },
    ],
    [format, release, t],
  );
}
