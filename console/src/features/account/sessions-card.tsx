import { useQuery } from '@tanstack/react-query';
import type { Session } from 'sms-service-client';
import { useState, type ReactNode } from 'react';
import { useAction } from '../../action.ts';
import { sms } from '../../api.ts';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { ConfirmDialog } from '../../records/confirm-dialog.tsx';
import { sessionQuery } from '../auth/session.ts';
import { sessionsQuery } from './account.ts';
import { describeDevice } from './describe-device.ts';
import { useText } from './text.ts';

/** Where the user is signed in, this browser first. */
export function SessionsCard(): ReactNode {
  const t = useText();
  const { data: sessions, error, refetch } = useQuery(sessionsQuery);
  const { data: current } = useQuery(sessionQuery);
  const [isEnding, setEnding] = useState(false);
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const isCurrent = ({ id }: Session): boolean => id === current?.session.id;
  const others = sessions?.filter((session) => !isCurrent(session)) ?? [];
  return (
    <Card
      title={t('sessions')}
      aside={
        others.length > 0 && (
          <Button size="small" onClick={() => setEnding(true)}>
            {t('endOthers')}
          </Button>
        )
      }
      className=""
    >
      {sessions === undefined ? (
        <Skeleton className="m-4 w-2/3" />
      ) : (
        <ul className="divide-y divide-line">
          {[...sessions.filter(isCurrent), ...others].map((session) => (
            <SessionRow key={session.id} session={session} isCurrent={isCurrent(session)} />
          ))}
        </ul>
      )}
      <ConfirmDialog
        isOpen={isEnding}
        onClose={() => setEnding(false)}
        title={t('endOthersTitle', { count: others.length })}
        description={t('endOthersHint')}
        confirm={t('endOthers')}
        run={() => sms.auth.revokeOtherSessions()}
        done={t('othersEnded')}
        changes={[sessionsQuery.queryKey]}
      />
    </Card>
  );
}

function SessionRow({ session, isCurrent }: { session: Session; isCurrent: boolean }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { id, userAgent = '', ipAddress, createdAt } = session;
  const device = describeDevice(userAgent) ?? t('unknownDevice');
  const end = useAction({
    run: () => sms.auth.revokeSession({ token: id }),
    done: () => ({ title: t('sessionEnded', { device }) }),
    changes: [sessionsQuery.queryKey],
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <p className="truncate" title={userAgent}>
          {device}
        </p>
        <p className="text-sm text-muted">
          {t('sessionFacts', {
            address: ipAddress ?? t('unknownAddress'),
            since: format.dateTime(createdAt),
          })}
        </p>
      </div>
      {isCurrent ? (
        <Badge tone="success">{t('thisBrowser')}</Badge>
      ) : (
        <Button
          size="small"
          aria-label={t('endNamed', { device })}
          isPending={end.isPending}
          onClick={() => end.mutate(undefined)}
        >
          {t('end')}
        </Button>
      )}
    </li>
  );
}
