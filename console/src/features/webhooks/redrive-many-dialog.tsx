import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { DeliveryFilters } from './deliveries.ts';
import { useRef, useState, type ReactNode } from 'react';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { Progress } from '../../design/progress.tsx';
import { Notice } from '../../design/states.tsx';
import { FormFailure } from '../../form.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { redriveDead } from './redrive-dead.ts';
import { useText } from './text.ts';

interface RedriveManyProps {
  isOpen: boolean;
  onClose: () => void;
  environment: DeliveryFilters['environment'];
}

/** Redrives all dead deliveries of the organization, with progress. Closing it stops after the current one. */
export function RedriveManyDialog({ isOpen, onClose, environment }: RedriveManyProps): ReactNode {
  const t = useText();
  const queryClient = useQueryClient();
  const { organizationId } = useOrganization();
  const [progress, setProgress] = useState({ done: 0, skipped: 0, all: 0 });
  const stop = useRef(new AbortController());
  const run = useMutation({
    mutationFn: () => {
      stop.current = new AbortController();
      return redriveDead(sms, { organizationId, environment }, setProgress, stop.current.signal);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [organizationId, 'webhook-deliveries'] }),
  });
  const close = (): void => {
    stop.current.abort();
    run.reset();
    onClose();
  };
  const { done, skipped, all } = progress;
  return (
    <Dialog isOpen={isOpen} onClose={close} title={t('redriveAllTitle')} description={t('redriveAllHint')}>
      <div className="flex flex-col gap-3">
        {run.isPending && (
          <div role="status" className="flex flex-col gap-2 text-sm">
            <Progress label={t('redriveAllTitle')} value={done + skipped} max={all} />
            {all === 0 ? t('counting') : t('redriveProgress', { done: done + skipped, all })}
          </div>
        )}
        {run.isSuccess && (
          <Notice tone="info" title={t('redriveResult', { count: done })}>
            {skipped > 0 && t('redriveSkipped', { count: skipped })}
          </Notice>
        )}
        <FormFailure error={run.error} />
      </div>
      <Actions>
        <Button onClick={close}>
          {run.isPending ? t('stop') : run.isSuccess ? t('close') : t('cancel')}
        </Button>
        {!run.isSuccess && (
          <Button variant="primary" isPending={run.isPending} onClick={() => run.mutate()}>
            {t('redriveAll')}
          </Button>
        )}
      </Actions>
    </Dialog>
  );
}
