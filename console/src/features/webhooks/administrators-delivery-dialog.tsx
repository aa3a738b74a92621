import type { WebhookDelivery } from 'sms-service-client';
import type { ReactNode } from 'react';
import { useAction } from '../../action.ts';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { Copyable, CopyableBlock } from '../../design/copyable.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { Facts } from '../../design/page.tsx';
import { useFormat } from '../../i18n/format.ts';
import { DeliveryStatusBadge } from './delivery-status-badge.tsx';
import { useText } from './text.ts';

/** One delivery of any organization, without the message, which administrators of the service may not read. */
export function AdministratorsDeliveryDialog(props: {
  delivery: WebhookDelivery | undefined;
  onClose: () => void;
}): ReactNode {
  const { delivery, onClose } = props;
  return (
    <Dialog
      isOpen={delivery !== undefined}
      onClose={onClose}
      width="wide"
      title={delivery?.event ?? ''}
      description={delivery?.url}
    >
      {delivery !== undefined && <Details delivery={delivery} onClose={onClose} />}
    </Dialog>
  );
}

function Details({ delivery, onClose }: { delivery: WebhookDelivery; onClose: () => void }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { id, organizationId, messageId, status, attempts, createdAt, lastAttempt } = delivery;
  const redrive = useAction({
    run: () => sms.admin.redriveWebhookDelivery(id),
    done: () => ({ title: t('redriven'), description: t('redrivenHint') }),
    changes: [['administration', 'webhook-deliveries']],
    onDone: onClose,
  });
  return (
    <div className="flex flex-col gap-4">
      <Facts
        facts={[
          { name: t('status'), value: <DeliveryStatusBadge status={status} /> },
          { name: t('organization'), value: <Copyable value={organizationId} /> },
          { name: t('id'), value: <Copyable value={id} /> },
          { name: t('message'), value: <Copyable value={messageId} /> },
          { name: t('created'), value: format.dateTime(createdAt) },
          { name: t('attempts'), value: format.number(attempts) },
          ...(lastAttempt?.error ? [{ name: t('lastAnswer'), value: lastAttempt.error.message }] : []),
        ]}
      />
      {lastAttempt?.response && <CopyableBlock label={t('lastBody')} text={lastAttempt.response} />}
      <Actions>
        <Button onClick={onClose}>{t('close')}</Button>
        {status === 'dead' && (
          <Button variant="primary" isPending={redrive.isPending} onClick={() => redrive.mutate(undefined)}>
            {t('redrive')}
          </Button>
        )}
      </Actions>
    </div>
  );
}
