import type { BulkSmsStatus } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../design/badge.tsx';
import { useText } from './text.ts';

const tones: Record<BulkSmsStatus, Tone> = {
  pending: 'neutral',
  scheduled: 'accent',
  processing: 'info',
  paused: 'warning',
  completed: 'success',
  cancelled: 'neutral',
  failed: 'danger',
};

/** The status of a batch. */
export function BatchStatusBadge({ status }: { status: BulkSmsStatus }): ReactNode {
  const t = useText();
  return <Badge tone={tones[status]}>{t(`batch_${status}`)}</Badge>;
}
