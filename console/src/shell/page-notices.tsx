import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useSyncExternalStore, type ReactNode } from 'react';
import { useAction } from '../action.ts';
import { sms } from '../api.ts';
import { Button } from '../design/button.tsx';
import { useToast } from '../design/toast.tsx';
import { useDescribeError } from '../errors.ts';
import { sessionQuery, useUser } from '../features/auth/session.ts';
import { useText } from './text.ts';

/** What concerns every page: no connection, or an address that is not confirmed. */
export function PageNotices(): ReactNode {
  const t = useText();
  const isOnline = useSyncExternalStore(listenToConnection, () => navigator.onLine);
  const user = useUser();
  return (
    <>
      <Impersonation />
      {isOnline ? (
        !user.emailVerified && <ConfirmAddress email={user.email} />
      ) : (
        <div
          role="status"
          className="border-b border-line bg-warning-soft px-8 py-2 text-sm text-warning max-sm:px-4"
        >
          {t('offline')}
        </div>
      )}
    </>
  );
}

/** Who the reader acts as, in a bar that stays in sight. */
function Impersonation(): ReactNode {
  const t = useText();
  const { name, email } = useUser();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const stop = useAction({
    run: () => sms.admin.stopImpersonating(),
    done: () => ({ title: t('stopImpersonating') }),
    changes: [],
    // A new page holds nothing of the other session in its memory.
    onDone: () => window.location.assign('/console/admin/users'),
  });
  if (!session?.session.impersonatedBy) return null;
  return (
    <div
      role="status"
      className="sticky top-(--shell-top) z-20 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 bg-danger px-8 py-2.5 font-medium text-on-danger max-sm:px-4"
    >
      <span className="min-w-0">{t('impersonating', { name, email })}</span>
      <Button size="small" isPending={stop.isPending} onClick={() => stop.mutate(undefined)}>
        {t('stopImpersonating')}
      </Button>
    </div>
  );
}

function ConfirmAddress({ email }: { email: string }): ReactNode {
  const t = useText();
  const toast = useToast();
  const describe = useDescribeError();
  const sendMail = useMutation({
    mutationFn: () => sms.auth.sendVerificationEmail({ email, callbackURL: '/console/confirm-address' }),
    onSuccess: () => toast({ title: t('mailSent', { email }) }),
    onError: (error) => {
      const { title, detail } = describe(error);
      toast({ title, description: detail, kind: 'failure' });
    },
  });
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line bg-info-soft px-8 py-2 text-sm text-info max-sm:px-4"
    >
      <span>{t('confirmAddress', { email })}</span>
      <Button size="small" isPending={sendMail.isPending} onClick={() => sendMail.mutate()}>
        {t('sendMailAgain')}
      </Button>
    </div>
  );
}

function listenToConnection(onChange: () => void): () => void {
  window.addEventListener('online', onChange);
  window.addEventListener('offline', onChange);
  return () => {
    window.removeEventListener('online', onChange);
    window.removeEventListener('offline', onChange);
  };
}
