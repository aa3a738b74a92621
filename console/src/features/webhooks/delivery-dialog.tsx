import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import type { WebhookDelivery } from 'sms-service-client';
import type { ReactNode } from 'react';
import { sms } from '../../api.ts';
import { useAction } from '../../action.ts';
import { Button } from '../../design/button.tsx';
import { Copyable, CopyableBlock } from '../../design/copyable.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { Facts } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useOrganization } from '../organizations/organization.ts';
import { AttemptList } from './attempt-list.tsx';
import { deliveryQuery } from './deliveries.ts';
import { DeliveryStatusBadge } from './delivery-status-badge.tsx';
import { useText } from './text.ts';

interface DeliveryDialogProps {
  delivery: WebhookDelivery | undefined;
  mayRedrive: boolean;
  onClose: () => void;
}

/** One delivery of the organization: its attempts, the last answer, and its redrive. */
export function DeliveryDialog({ delivery, mayRedrive, onClose }: DeliveryDialogProps): ReactNode {
  const t = useText();
  return (
    <Dialog
      isOpen={delivery !== undefined}
      onClose={onClose}
      width="wide"
      title={delivery?.event ?? t('title')}
      description={delivery?.url}
    >
      {delivery !== undefined && <Details delivery={delivery} mayRedrive={mayRedrive} onClose={onClose} />}
    </Dialog>
  );
}

function Details({
  delivery,
  mayRedrive,
  onClose,
}: { delivery: WebhookDelivery } & Omit<DeliveryDialogProps, 'delivery'>): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const details = useQuery(deliveryQuery(delivery));
  const redrive = useAction({
    run: () => sms.webhookDeliveries.redrive(delivery.id, { organizationId }),
    done: () => ({ title: t('redriven'), description: t('redrivenHint') }),
    changes: [[organizationId, 'webhook-deliveries']],
  });
  const { status, lastAttempt } = delivery;
  return (
    <div className="flex flex-col gap-4">
      {status === 'dead' && (
        <Notice tone="danger" title={t('isDead')}>
          {mayRedrive ? t('isDeadHint') : t('isDeadForMembers')}
        </Notice>
      )}
      <DeliveryFacts delivery={delivery} />
      {lastAttempt?.error && (
        <p className="text-sm">
          <span className="font-medium">{lastAttempt.error.code}</span>{' '}
          <span className="text-muted">{lastAttempt.error.message}</span>
        </p>
      )}
      <AttemptList attempts={details.data?.attempts} error={details.error} />
      {details.data !== undefined && <Block label={t('requestBody')} text={prettyJson(details.data.body)} />}
      {lastAttempt?.response && <Block label={t('lastBody')} text={lastAttempt.response} />}
      <Actions>
        <Button onClick={onClose}>{t('close')}</Button>
        {status === 'dead' && mayRedrive && (
          <Button
            variant="primary"
            icon={<RotateCw aria-hidden className="size-4" />}
            isPending={redrive.isPending}
            onClick={() => redrive.mutate(undefined)}
          >
            {t('redrive')}
          </Button>
        )}
      </Actions>
    </div>
  );
}

function Block({ label, text }: { label: string; text: string }): ReactNode {
  return (
    <div className="flex flex-col gap-1.5">
      <h3 className="text-sm font-medium">{label}</h3>
      <CopyableBlock label={label} text={text} />
    </div>
  );
}

/** The body with a line for each field; the signature is made over the bytes that were sent. */
function prettyJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function DeliveryFacts({ delivery }: { delivery: WebhookDelivery }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { slug } = useOrganization();
  const { id, messageId, status, createdAt, deliveredAt, nextAttemptAt } = delivery;
  return (
    <Facts
      facts={[
        { name: t('status'), value: <DeliveryStatusBadge status={status} /> },
        { name: t('id'), value: <Copyable value={id} /> },
        {
          name: t('message'),
          value: (
            <Link
              to="/o/$organization/messages/$messageId"
              params={{ organization: slug, messageId }}
              className="font-mono text-sm text-accent hover:underline"
            >
              {messageId}
            </Link>
          ),
        },
        { name: t('created'), value: format.dateTime(createdAt) },
        ...(deliveredAt === null ? [] : [{ name: t('deliveredAt'), value: format.dateTime(deliveredAt) }]),
        ...(nextAttemptAt === null
          ? []
          : [{ name: t('nextAttempt'), value: format.dateTime(nextAttemptAt) }]),
      ]}
    />
  );
}
