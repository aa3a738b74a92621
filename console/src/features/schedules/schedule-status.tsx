import type { MessageSchedule } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../design/badge.tsx';
import { useText } from './text.ts';

const tones: Record<MessageSchedule['status'], Tone> = {
  active: 'success',
  paused: 'warning',
  completed: 'neutral',
  cancelled: 'neutral',
};

/** The status of a schedule. */
export function ScheduleStatus({ status }: Pick<MessageSchedule, 'status'>): ReactNode {
  const t = useText();
  return <Badge tone={tones[status]}>{t(status)}</Badge>;
}
