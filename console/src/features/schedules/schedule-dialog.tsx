import type { MessageSchedule, MessageScheduleAction } from 'sms-service-client';
import { useState, type ReactNode } from 'react';
import { useAction } from '../../action.ts';
import { sms } from '../../api.ts';
import { ConfirmDialog } from '../../records/confirm-dialog.tsx';
import { Button } from '../../design/button.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { Facts } from '../../design/page.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useOrganization } from '../organizations/organization.ts';
import { ScheduleStatus } from './schedule-status.tsx';
import { NextRuns } from './next-runs.tsx';
import { useText } from './text.ts';

/** One schedule: what it sends, when it runs next, what has become of its runs, and how to stop it. */
export function ScheduleDialog(props: {
  schedule: MessageSchedule | undefined;
  onClose: () => void;
}): ReactNode {
  const t = useText();
  const { schedule, onClose } = props;
  const [isCancelling, setCancelling] = useState(false);
  const change = useChange();
  const close = (): void => {
    setCancelling(false);
    onClose();
  };
  return (
    <>
      <Dialog
        isOpen={schedule !== undefined && !isCancelling}
        onClose={close}
        width="wide"
        title={schedule?.to ?? ''}
        description={schedule?.text}
      >
        {schedule !== undefined && (
          <div className="flex flex-col gap-5">
            <ScheduleFacts schedule={schedule} />
            <NextRuns runs={schedule.upcomingRuns} timezone={schedule.timezone} />
            <Actions>
              <Button onClick={close}>{t('close')}</Button>
              {(schedule.status === 'active' || schedule.status === 'paused') && (
                <>
                  <Button onClick={() => setCancelling(true)}>{t('cancelSchedule')}</Button>
                  <Button
                    variant="primary"
                    isPending={change.isPending}
                    onClick={() =>
                      change.mutate({
                        id: schedule.id,
                        action: schedule.status === 'active' ? 'pause' : 'resume',
                      })
                    }
                  >
                    {schedule.status === 'active' ? t('pause') : t('resume')}
                  </Button>
                </>
              )}
            </Actions>
          </div>
        )}
      </Dialog>
      {schedule !== undefined && (
        <CancelDialog schedule={schedule} isOpen={isCancelling} onClose={() => setCancelling(false)} />
      )}
    </>
  );
}

function CancelDialog(props: { schedule: MessageSchedule; isOpen: boolean; onClose: () => void }): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const { schedule, isOpen, onClose } = props;
  const { id, to: recipient } = schedule;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('cancelTitle', { recipient })}
      description={t('cancelHint')}
      confirm={t('cancelIt')}
      run={() => sms.messageSchedules.changeStatus(id, { action: 'cancel', organizationId })}
      done={t('done_cancel')}
      changes={[[organizationId, 'schedules']]}
    />
  );
}

function useChange() {
  const t = useText();
  const { organizationId } = useOrganization();
  return useAction({
    run: ({ id, action }: { id: string; action: MessageScheduleAction['action'] }) =>
      sms.messageSchedules.changeStatus(id, { action, organizationId }),
    done: (_schedule, { action }) => ({ title: t(`done_${action}`) }),
    changes: [[organizationId, 'schedules']],
  });
}

function ScheduleFacts({ schedule }: { schedule: MessageSchedule }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { status, recurrence, startsAt, endsAt, timezone, from, counts, environment } = schedule;
  return (
    <Facts
      facts={[
        { name: t('status'), value: <ScheduleStatus status={status} /> },
        {
          name: t('repeats'),
          value:
            recurrence === null ? t('once') : t(`every_${recurrence.unit}`, { count: recurrence.interval }),
        },
        { name: t('startsAt'), value: format.dateTimeIn(startsAt, timezone) },
        ...(endsAt === null ? [] : [{ name: t('endsAt'), value: format.dateTimeIn(endsAt, timezone) }]),
        { name: t('sender'), value: from ?? t('defaultSender') },
        { name: t('environment'), value: t(`environment_${environment}`) },
        {
          name: t('runs'),
          value: t('runCounts', {
            created: counts.created,
            failed: counts.failed,
            missed: counts.missed,
            skipped: counts.skipped,
          }),
        },
      ]}
    />
  );
}
