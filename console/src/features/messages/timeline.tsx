import {
  Ban,
  CircleHelp,
  Clock,
  FileCheck,
  MessageSquarePlus,
  Repeat,
  Send,
  Webhook,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from '../../design/classes.ts';
import { EmptyState } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { MessageStatusBadge } from './message-status-badge.tsx';
import { useText } from './text.ts';
import { useDescribeEntry, type TimelineEntry } from './use-describe-entry.ts';

const icons: Record<TimelineEntry['kind'], LucideIcon> = {
  queued: MessageSquarePlus,
  submission_attempted: Send,
  submission_answered: Send,
  submission_doubtful: CircleHelp,
  report_received: FileCheck,
  redriven: Repeat,
  redrive_of: Repeat,
  expired: Clock,
  suppressed: Ban,
  refused: Ban,
  cancelled: Ban,
  webhook_created: Webhook,
  webhook_attempted: Webhook,
};

/** Everything that has happened to a message, oldest first, with the time since the entry before. */
export function Timeline({ entries }: { entries: readonly TimelineEntry[] }): ReactNode {
  const t = useText();
  if (entries.length === 0) {
    return <EmptyState icon={Clock} title={t('noEntries')} description={t('noEntriesHint')} />;
  }
  return (
    <ol className="px-4 py-3">
      {entries.map((entry, index) => (
        <Entry key={`${entry.at} ${index}`} entry={entry} before={entries[index - 1]} />
      ))}
    </ol>
  );
}

function Entry({ entry, before }: { entry: TimelineEntry; before: TimelineEntry | undefined }): ReactNode {
  const format = useFormat();
  const { title, detail, isTrouble } = useDescribeEntry()(entry);
  const Icon = icons[entry.kind];
  const sinceMs = before === undefined ? null : Date.parse(entry.at) - Date.parse(before.at);
  return (
    <li className="group relative flex gap-3 pb-4 last:pb-1">
      <span aria-hidden className="absolute top-7 bottom-0 left-3 w-px bg-line group-last:hidden" />
      <span
        className={classes(
          'flex size-6 shrink-0 items-center justify-center rounded-full',
          isTrouble ? 'bg-danger-soft text-danger' : 'bg-hover text-muted',
        )}
      >
        <Icon aria-hidden className="size-3.5" />
      </span>
      <div className="min-w-0 flex-1 pt-0.5">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="font-medium">{title}</span>
          {entry.status !== null && <MessageStatusBadge status={entry.status} />}
        </p>
        {detail !== '' && <p className="text-sm text-muted [overflow-wrap:anywhere]">{detail}</p>}
      </div>
      <div className="shrink-0 pt-0.5 text-right text-xs text-muted tabular-nums">
        <time dateTime={entry.at}>{format.preciseTime(entry.at)}</time>
        {sinceMs !== null && <div>{`+${format.duration(Math.max(0, sinceMs))}`}</div>}
      </div>
    </li>
  );
}
