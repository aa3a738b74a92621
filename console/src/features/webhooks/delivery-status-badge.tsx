import type { WebhookDelivery } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../design/badge.tsx';
import { useText } from './text.ts';

const tones: Record<WebhookDelivery['status'], Tone> = {
  pending: 'neutral',
  retrying: 'warning',
  delivered: 'success',
  dead: 'danger',
};

/** The status of a webhook delivery. */
export function DeliveryStatusBadge({ status }: Pick<WebhookDelivery, 'status'>): ReactNode {
  const t = useText();
  return <Badge tone={tones[status]}>{t(status)}</Badge>;
}
