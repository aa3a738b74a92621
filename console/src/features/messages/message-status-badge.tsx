import type { MessageStatus } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../design/badge.tsx';
import { useText } from './text.ts';

const tones: Record<MessageStatus, Tone> = {
  queued: 'neutral',
  accepted: 'info',
  sent: 'info',
  delivered: 'success',
  failed: 'danger',
  cancelled: 'warning',
};

/** The status of a message. */
export function MessageStatusBadge({ status }: { status: MessageStatus }): ReactNode {
  const t = useText();
  return <Badge tone={tones[status]}>{t(status)}</Badge>;
}
