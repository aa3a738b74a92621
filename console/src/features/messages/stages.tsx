import { Ban, Check, Hourglass, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { Message } from 'sms-service-client';
import { Fragment, type ReactNode } from 'react';
import { classes } from '../../design/classes.ts';
import { useFormat } from '../../i18n/format.ts';
import { isFinal } from './messages.ts';
import { useText } from './text.ts';

interface Stage {
  name: 'queued' | 'accepted' | 'sent' | 'delivered' | 'failed' | 'cancelled';
  at: string | null;
  /** The time since the stage before it. */
  tookMs: number | null;
}

/** The stages of a message: those that it has reached, and those that it still has before it. */
function stagesOf(message: Message): Stage[] {
  const { status, createdAt, acceptedAt, sentAt, deliveredAt, failedAt } = message;
  const reached: Omit<Stage, 'tookMs'>[] = [
    { name: 'queued', at: createdAt },
    { name: 'accepted', at: acceptedAt },
    { name: 'sent', at: sentAt },
    status === 'failed' || status === 'cancelled'
      ? { name: status, at: failedAt }
      : { name: 'delivered', at: deliveredAt },
  ];
  // A message that has ended skips what it did not reach.
  const shown = isFinal(message) ? reached.filter(({ name, at }) => at !== null || name === status) : reached;
  return shown.map((stage, index) => {
    const before = shown[index - 1]?.at ?? null;
    const tookMs = stage.at === null || before === null ? null : Date.parse(stage.at) - Date.parse(before);
    return { ...stage, tookMs: tookMs === null ? null : Math.max(0, tookMs) };
  });
}

/** The way of a message as a picture: its stages, and the time between them. */
export function Stages({ message }: { message: Message }): ReactNode {
  const t = useText();
  const format = useFormat();
  const stages = stagesOf(message);
  const isReached = ({ name, at }: Stage): boolean => at !== null || name === message.status;
  const next = isFinal(message) ? undefined : stages.find((stage) => !isReached(stage));
  return (
    <ol className="flex items-start max-sm:flex-col max-sm:gap-3">
      {stages.map((stage, index) => (
        <Fragment key={stage.name}>
          {index > 0 && <Way isReached={isReached(stage)} tookMs={stage.tookMs} />}
          <li className="flex w-24 shrink-0 flex-col items-center gap-1 text-center max-sm:w-full max-sm:flex-row max-sm:gap-3 max-sm:text-left">
            <Mark stage={stage} isReached={isReached(stage)} isNext={stage === next} />
            <span className={classes('text-sm font-medium', !isReached(stage) && 'text-muted')}>
              {t(stage.name)}
            </span>
            <span className="text-xs text-muted tabular-nums max-sm:ml-auto">
              {stage.at === null ? '' : format.preciseTime(stage.at)}
            </span>
          </li>
        </Fragment>
      ))}
    </ol>
  );
}

/** The way between two stages, with the time that it took. */
function Way({ isReached, tookMs }: { isReached: boolean; tookMs: number | null }): ReactNode {
  const format = useFormat();
  return (
    <li
      aria-hidden={tookMs === null}
      className="flex min-w-0 flex-1 flex-col items-center pt-3.5 max-sm:hidden"
    >
      <span className={classes('h-0.5 w-full rounded-full', isReached ? 'bg-accent' : 'bg-line-strong')} />
      <span className="mt-1 text-xs text-muted tabular-nums">
        {tookMs === null ? '' : format.duration(tookMs)}
      </span>
    </li>
  );
}

const endLooks: Partial<Record<Stage['name'], { icon: LucideIcon; look: string }>> = {
  failed: { icon: TriangleAlert, look: 'bg-danger text-on-danger' },
  cancelled: { icon: Ban, look: 'bg-warning-soft text-warning' },
};

function Mark({
  stage,
  isReached,
  isNext,
}: {
  stage: Stage;
  isReached: boolean;
  isNext: boolean;
}): ReactNode {
  const waiting = { icon: Hourglass, look: 'border-2 border-accent bg-surface text-accent animate-pulse' };
  const ahead = { icon: undefined, look: 'border-2 border-line-strong bg-surface' };
  const reached = endLooks[stage.name] ?? { icon: Check, look: 'bg-accent text-on-accent' };
  const { icon: Icon, look } = isReached ? reached : isNext ? waiting : ahead;
  return (
    <span className={classes('flex size-7 shrink-0 items-center justify-center rounded-full', look)}>
      {Icon && <Icon aria-hidden className="size-3.5" />}
    </span>
  );
}
