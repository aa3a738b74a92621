import { SmsApiError, SmsConnectionError } from 'sms-service-client';
import { CloudOff, Lock, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useDescribeError } from '../errors.ts';
import { Button } from './button.tsx';
import { classes } from './classes.ts';
import { useText } from './text.ts';

/** What a list shows before it has anything: what will be here, and how to begin. */
export function EmptyState({
  icon: Icon,
  title,
  description,
  action,
}: {
  icon: LucideIcon;
  title: string;
  description: ReactNode;
  action?: ReactNode;
}): ReactNode {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      <div className="mb-4 flex size-11 items-center justify-center rounded-lg border border-line bg-surface text-muted">
        <Icon aria-hidden className="size-5" />
      </div>
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mt-1 max-w-md text-muted">{description}</p>
      {action !== undefined && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** What is shown in place of data that could not be read: why, and what to do. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => void }): ReactNode {
  const t = useText();
  const { title, detail, requestId } = useDescribeError()(error);
  return (
    <div role="alert" className="flex flex-col items-center px-6 py-14 text-center">
      <div className="mb-4 flex size-11 items-center justify-center rounded-lg border border-line bg-surface text-danger">
        <ErrorIcon error={error} />
      </div>
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mt-1 max-w-md text-muted">{detail}</p>
      {requestId !== null && (
        <p className="mt-2 font-mono text-xs text-muted">{t('requestId', { id: requestId })}</p>
      )}
      {onRetry !== undefined && (
        <Button className="mt-5" onClick={onRetry}>
          {t('retry')}
        </Button>
      )}
    </div>
  );
}

function ErrorIcon({ error }: { error: unknown }): ReactNode {
  const look = { 'aria-hidden': true, className: 'size-5' } as const;
  if (error instanceof SmsConnectionError) return <CloudOff {...look} />;
  const isForbidden = error instanceof SmsApiError && error.status === 403;
  return isForbidden ? <Lock {...look} /> : <TriangleAlert {...look} />;
}

/** A note within a page or form. */
export function Notice({
  tone,
  title,
  children,
}: {
  tone: 'info' | 'warning' | 'danger';
  title?: string;
  children?: ReactNode;
}): ReactNode {
  const looks = {
    info: 'bg-info-soft text-info',
    warning: 'bg-warning-soft text-warning',
    danger: 'bg-danger-soft text-danger',
  };
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={classes('rounded-md px-3 py-2.5 text-sm', looks[tone])}
    >
      {title !== undefined && <p className="font-medium">{title}</p>}
      {children}
    </div>
  );
}

/** A grey bar in place of text that is being loaded. */
export function Skeleton({ className }: { className?: string }): ReactNode {
  return <div aria-hidden className={classes('h-4 animate-pulse rounded-sm bg-hover', className)} />;
}

/** Grey bars in place of a page that is being loaded. */
export function PageSkeleton(): ReactNode {
  const t = useText();
  return (
    <div role="status" aria-label={t('loading')} className="flex flex-col gap-4 p-8 max-sm:p-4">
      <Skeleton className="h-7 w-48" />
      {['w-full', 'w-5/6', 'w-11/12', 'w-4/6'].map((width) => (
        <Skeleton key={width} className={width} />
      ))}
    </div>
  );
}
