import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleStop, Gauge, Pause, Play } from 'lucide-react';
import type { BulkSms, BulkSmsStatus } from 'sms-service-client';
import { useState, type ReactNode } from 'react';
import { sms } from '../../api.ts';
import { ConfirmDialog } from '../../records/confirm-dialog.tsx';
import { Button } from '../../design/button.tsx';
import { useToast } from '../../design/toast.tsx';
import { useDescribeError } from '../../errors.ts';
import { useFormat } from '../../i18n/format.ts';
import { useOrganization } from '../organizations/organization.ts';
import { batchQuery, hasEnded } from './bulk-sms.ts';
import { RateDialog } from './rate-dialog.tsx';
import { useText } from './text.ts';

type Step = 'start' | 'pause' | 'resume';

/** The step that a batch can take next; none while it is about to start or after its end. */
const nextSteps: Partial<Record<BulkSmsStatus, Step>> = {
  scheduled: 'start',
  processing: 'pause',
  paused: 'resume',
};

/** What can be done with a batch in its status. */
export function BatchActions({ batch }: { batch: BulkSms }): ReactNode {
  const t = useText();
  const [dialog, setDialog] = useState<'rate' | 'cancel' | null>(null);
  const step = nextSteps[batch.status];
  const { mutate, isPending } = useStep(batch);
  if (hasEnded(batch)) return null;
  return (
    <>
      <Button icon={<CircleStop aria-hidden className="size-4" />} onClick={() => setDialog('cancel')}>
        {t('cancelBatch')}
      </Button>
      <Button icon={<Gauge aria-hidden className="size-4" />} onClick={() => setDialog('rate')}>
        {t('changeRate')}
      </Button>
      {step !== undefined && (
        <Button
          variant="primary"
          isPending={isPending}
          icon={
            step === 'pause' ? (
              <Pause aria-hidden className="size-4" />
            ) : (
              <Play aria-hidden className="size-4" />
            )
          }
          onClick={() => mutate(step)}
        >
          {t(step)}
        </Button>
      )}
      {dialog === 'rate' && <RateDialog batch={batch} onClose={() => setDialog(null)} />}
      <CancelDialog batch={batch} isOpen={dialog === 'cancel'} onClose={() => setDialog(null)} />
    </>
  );
}

interface CancelDialogProps {
  batch: BulkSms;
  isOpen: boolean;
  onClose: () => void;
}

function CancelDialog({ batch, isOpen, onClose }: CancelDialogProps): ReactNode {
  const t = useText();
  const format = useFormat();
  const { organizationId } = useOrganization();
  const { queued, total } = batch.ledger;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('cancelTitle')}
      description={
        total === 0
          ? t('cancelHintBefore')
          : t('cancelHint', { count: queued, queued: format.number(queued), total: format.number(total) })
      }
      confirm={t('cancelBatch')}
      cancel={t('goOn')}
      run={() => sms.bulkSms.cancel(batch.id, { organizationId })}
      done={t('cancelled')}
      changes={[[organizationId, 'bulk-sms']]}
    />
  );
}

function useStep({ id }: BulkSms) {
  const t = useText();
  const toast = useToast();
  const describe = useDescribeError();
  const queryClient = useQueryClient();
  const { organizationId } = useOrganization();
  return useMutation({
    mutationFn: (step: Step) => sms.bulkSms[step](id, { organizationId }),
    onSuccess: (batch, step) => {
      queryClient.setQueryData(batchQuery(organizationId, id).queryKey, batch);
      toast({ title: t(`${step}Done`) });
    },
    onError: (error) => {
      const { title, detail } = describe(error);
      toast({ title, description: detail, kind: 'failure' });
    },
  });
}
