import type { InboundMessage } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../design/badge.tsx';
import { useText } from './text.ts';

const tones: Record<InboundMessage['status'], Tone> = {
  received: 'neutral',
  processing: 'info',
  processed: 'success',
  failed: 'danger',
  unmatched: 'warning',
};

/** What has become of an inbound message. */
export function InboundStatus({ status }: Pick<InboundMessage, 'status'>): ReactNode {
  const t = useText();
  return <Badge tone={tones[status]}>{t(status)}</Badge>;
}
