import type { SenderIdStatus } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../design/badge.tsx';
import { useText } from './text.ts';

const tones: Record<SenderIdStatus, Tone> = { pending: 'warning', approved: 'success', rejected: 'danger' };

/** Whether a sender ID may be used. */
export function SenderStatusBadge({ status }: { status: SenderIdStatus }): ReactNode {
  const t = useText();
  return <Badge tone={tones[status]}>{t(status)}</Badge>;
}
