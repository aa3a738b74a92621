import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { InvitationWithNames } from 'sms-service-client';
import type { ReactNode } from 'react';
import { useAction } from '../../action.ts';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { AuthPage } from '../auth/auth-page.tsx';
import { useUser } from '../auth/session.ts';
import { organizationsQuery } from '../organizations/organization.ts';
import { receivedInvitationsQuery } from './members.ts';
import { useText } from './text.ts';

/** The invitations of the user. They can be answered once the address is confirmed. */
export function ReceivedPage(): ReactNode {
  const t = useText();
  const user = useUser();
  return (
    <AuthPage
      title={t('receivedTitle')}
      description={t('receivedHint', { email: user.email })}
      footer={
        <Link to="/" className="font-medium text-accent hover:underline">
          {t('toConsole')}
        </Link>
      }
    >
      {user.emailVerified ? <Invitations /> : <ConfirmFirst email={user.email} />}
    </AuthPage>
  );
}

function ConfirmFirst({ email }: { email: string }): ReactNode {
  const t = useText();
  const send = useAction({
    run: () => sms.auth.sendVerificationEmail({ email, callbackURL: '/console/invitations' }),
    done: () => ({ title: t('mailSent', { email }) }),
    changes: [],
  });
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="info" title={t('confirmFirst')}>
        {t('confirmFirstHint')}
      </Notice>
      <Button isPending={send.isPending} onClick={() => send.mutate(undefined)}>
        {t('sendMail')}
      </Button>
    </div>
  );
}

function Invitations(): ReactNode {
  const t = useText();
  const { data: invitations, error, refetch } = useQuery(receivedInvitationsQuery);
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (invitations === undefined) return <Skeleton className="w-2/3" />;
  if (invitations.length === 0) return <p className="text-muted">{t('noneReceived')}</p>;
  return (
    <ul className="flex flex-col gap-5">
      {invitations.map((invitation) => (
        <Received key={invitation.id} invitation={invitation} />
      ))}
    </ul>
  );
}

function Received({ invitation }: { invitation: InvitationWithNames }): ReactNode {
  const t = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { id: invitationId, organizationName: name = '', organizationSlug, role = 'member' } = invitation;
  const show = async (): Promise<void> => {
    await queryClient.invalidateQueries(organizationsQuery);
    await navigate(
      organizationSlug ? { to: '/o/$organization', params: { organization: organizationSlug } } : { to: '/' },
    );
  };
  const accept = useAction({
    run: () => sms.organizations.acceptInvitation({ invitationId }),
    done: () => ({ title: t('accepted', { name }) }),
    changes: [receivedInvitationsQuery.queryKey],
    onDone: () => void show(),
  });
  const decline = useAction({
    run: () => sms.organizations.rejectInvitation({ invitationId }),
    done: () => ({ title: t('declined', { name }) }),
    changes: [receivedInvitationsQuery.queryKey],
  });
  return (
    <li className="flex flex-col gap-3">
      <div>
        <h2 className="text-lg font-semibold">{name}</h2>
        <p className="text-sm text-muted">
          {t('receivedFacts', {
            role: t(role),
            inviter: invitation.inviterEmail ?? '',
            expires: format.dateTime(invitation.expiresAt),
          })}
        </p>
      </div>
      <div className="flex gap-2">
        <Button variant="primary" isPending={accept.isPending} onClick={() => accept.mutate(undefined)}>
          {t('accept')}
        </Button>
        <Button isPending={decline.isPending} onClick={() => decline.mutate(undefined)}>
          {t('decline')}
        </Button>
      </div>
    </li>
  );
}
