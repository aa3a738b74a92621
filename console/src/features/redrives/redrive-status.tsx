import type { Redrive } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../design/badge.tsx';
import { useText } from './text.ts';

const tones: Record<Redrive['status'], Tone> = {
  pending: 'neutral',
  running: 'info',
  completed: 'success',
  cancelled: 'warning',
  failed: 'danger',
};

/** The status of a redrive. */
export function RedriveStatus({ status }: Pick<Redrive, 'status'>): ReactNode {
  const t = useText();
  return <Badge tone={tones[status]}>{t(status)}</Badge>;
}
