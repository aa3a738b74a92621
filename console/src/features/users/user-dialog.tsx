import type { User } from 'sms-service-client';
import { useState, type ReactNode } from 'react';
import { useAction } from '../../action.ts';
import { sms } from '../../api.ts';
import { ConfirmDialog } from '../../records/confirm-dialog.tsx';
import { Button } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { Facts } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { SecurityEvents } from '../account/security-events.tsx';
import { useUser } from '../auth/session.ts';
import { useText } from './text.ts';
import { securityEventsQuery } from './users.ts';

/** One user, and what administrators of the service may do about them. */
export function UserDialog({ user, onClose }: { user: User | undefined; onClose: () => void }): ReactNode {
  return (
    <Dialog
      isOpen={user !== undefined}
      onClose={onClose}
      width="wide"
      title={user?.name ?? ''}
      description={user?.email}
    >
      {user !== undefined && <Details user={user} onClose={onClose} />}
    </Dialog>
  );
}

function Details({ user, onClose }: { user: User; onClose: () => void }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { id: userId, name, role = 'user', createdAt, emailVerified, banned, banReason } = user;
  const { id: ownId } = useUser();
  const [asks, setAsks] = useState<'ban' | 'reset'>();
  const [showsEvents, setShowsEvents] = useState(false);
  const stopAsking = (): void => setAsks(undefined);
  const impersonate = useAction({
    run: () => sms.admin.impersonateUser({ userId }),
    done: () => ({ title: name }),
    changes: [],
    // A new page holds nothing of the administrator in its memory.
    onDone: () => window.location.assign('/console/'),
  });
  const changes = [['administration', 'users']];
  const unban = useAction({
    run: () => sms.admin.unbanUser({ userId }),
    done: () => ({ title: t('unbannedNow', { name }) }),
    changes,
    onDone: onClose,
  });
  const isOther = userId !== ownId;
  return (
    <div className="flex flex-col gap-4">
      {banned && (
        <Notice tone="warning" title={t('banned')}>
          {banReason}
        </Notice>
      )}
      <Facts
        facts={[
          { name: t('id'), value: <Copyable value={userId} /> },
          { name: t('role'), value: t(role) },
          { name: t('address'), value: emailVerified ? t('confirmed') : t('notConfirmed') },
          { name: t('since'), value: format.dateTime(createdAt) },
        ]}
      />
      {showsEvents ? (
        <div
          className="flex max-h-80 flex-col gap-3 overflow-y-auto"
          role="region"
          aria-label={t('events')}
          tabIndex={0}
        >
          <SecurityEvents query={securityEventsQuery(userId)} />
        </div>
      ) : (
        <Button size="small" className="self-start" onClick={() => setShowsEvents(true)}>
          {t('events')}
        </Button>
      )}
      {isOther && role === 'user' && <p className="text-sm text-muted">{t('impersonateHint')}</p>}
      <Actions>
        <Button onClick={onClose}>{t('close')}</Button>
        {isOther && <Button onClick={() => setAsks('reset')}>{t('reset')}</Button>}
        {isOther && (
          <Button
            isPending={unban.isPending}
            onClick={() => (banned ? unban.mutate(undefined) : setAsks('ban'))}
          >
            {banned ? t('unban') : t('ban')}
          </Button>
        )}
        {isOther && role === 'user' && !banned && (
          <Button
            variant="primary"
            isPending={impersonate.isPending}
            onClick={() => impersonate.mutate(undefined)}
          >
            {t('impersonate')}
          </Button>
        )}
      </Actions>
      <ConfirmDialog
        isOpen={asks === 'ban'}
        onClose={stopAsking}
        title={t('banTitle', { name })}
        description={t('banHint')}
        confirm={t('banNow')}
        run={() => sms.admin.banUser({ userId })}
        done={t('bannedNow', { name })}
        changes={changes}
        onDone={onClose}
      />
      <ConfirmDialog
        isOpen={asks === 'reset'}
        onClose={stopAsking}
        title={t('resetTitle', { name })}
        description={t('resetHint')}
        confirm={t('resetNow')}
        run={() => sms.admin.resetTwoFactor({ userId })}
        done={t('resetDone', { name })}
        changes={[securityEventsQuery(userId).queryKey]}
      />
    </div>
  );
}
