import type { Redrive } from 'sms-service-client';
import type { ReactNode } from 'react';
import { useAction } from '../../action.ts';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { Facts } from '../../design/page.tsx';
import { Progress } from '../../design/progress.tsx';
import { Notice } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { WorkflowLink } from '../administration/workflow-link.tsx';
import { RedriveStatus } from './redrive-status.tsx';
import { isUnderWay, redrivesKey } from './redrives.ts';
import { useText } from './text.ts';

/** One redrive, live: how far it is, what it has left out and why, and its cancellation. */
export function RedriveDialog(props: { redrive: Redrive | undefined; onClose: () => void }): ReactNode {
  const t = useText();
  const { redrive, onClose } = props;
  return (
    <Dialog
      isOpen={redrive !== undefined}
      onClose={onClose}
      width="wide"
      title={redrive === undefined ? '' : t(redrive.kind)}
    >
      {redrive !== undefined && <Details redrive={redrive} onClose={onClose} />}
    </Dialog>
  );
}

function Details({ redrive, onClose }: { redrive: Redrive; onClose: () => void }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { id, status, failure, redriven, limit } = redrive;
  const cancel = useAction({
    run: () => sms.admin.cancelRedrive(id),
    done: () => ({ title: t('cancelledNow'), description: t('cancelledHint') }),
    changes: [redrivesKey],
  });
  return (
    <div className="flex flex-col gap-4">
      {failure !== null && <Notice tone="danger" title={failure.message} />}
      {isUnderWay(redrive) && (
        <div role="status" className="flex flex-col gap-2 text-sm">
          <Progress label={t('redriven')} value={redriven} max={limit} />
          {t('progress', { redriven, limit: format.number(limit) })}
        </div>
      )}
      <RedriveFacts redrive={redrive} />
      <Actions>
        <Button onClick={onClose}>{t('close')}</Button>
        {(status === 'pending' || status === 'running') && (
          <Button variant="danger" isPending={cancel.isPending} onClick={() => cancel.mutate(undefined)}>
            {t('cancelRedrive')}
          </Button>
        )}
      </Actions>
    </div>
  );
}

function RedriveFacts({ redrive }: { redrive: Redrive }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { id, status, filter, matched, redriven, skipped, createdAt, endedAt } = redrive;
  const left = Object.entries(skipped) as [keyof typeof skipped, number][];
  return (
    <Facts
      facts={[
        { name: t('status'), value: <RedriveStatus status={status} /> },
        { name: t('created'), value: `${format.dateTime(filter.from)} – ${format.dateTime(filter.to)}` },
        ...(filter.organizationId === null
          ? []
          : [{ name: t('organizationId'), value: <Copyable value={filter.organizationId} /> }]),
        ...(filter.errorCode === null
          ? []
          : [{ name: t('errorCode'), value: <code>{filter.errorCode}</code> }]),
        ...(filter.environment === null ? [] : [{ name: t('environment'), value: t(filter.environment) }]),
        { name: t('matched'), value: format.number(matched) },
        { name: t('redriven'), value: format.number(redriven) },
        ...left.map(([reason, count]) => ({ name: t(`skipped_${reason}`), value: format.number(count) })),
        { name: t('started'), value: format.dateTime(createdAt) },
        ...(endedAt === null ? [] : [{ name: t('ended'), value: format.dateTime(endedAt) }]),
        { name: t('workflow'), value: <WorkflowLink workflowId={`redrives/${id}`} /> },
      ]}
    />
  );
}
