import { useQuery } from '@tanstack/react-query';
import type { Invitation } from 'sms-service-client';
import type { ReactNode } from 'react';
import { useAction } from '../../action.ts';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { ErrorState } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useOrganization } from '../organizations/organization.ts';
import { openInvitationsQuery } from './members.ts';
import { useText } from './text.ts';

/** The invitations that nobody has answered yet. */
export function OpenInvitations(): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const { data: invitations, error, refetch } = useQuery(openInvitationsQuery(organizationId));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (invitations === undefined || invitations.length === 0) return null;
  return (
    <Card title={t('openInvitations')} className="">
      <ul className="divide-y divide-line">
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </Card>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { organizationId } = useOrganization();
  const { id, email, role = 'member', expiresAt } = invitation;
  const changes = [[organizationId, 'invitations']];
  const resend = useAction({
    run: () => sms.organizations.inviteMember({ organizationId, email, role, resend: true }),
    done: () => ({ title: t('resent', { email }) }),
    changes,
  });
  const withdraw = useAction({
    run: () => sms.organizations.cancelInvitation({ invitationId: id }),
    done: () => ({ title: t('withdrawn', { email }) }),
    changes,
  });
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <p className="truncate">{email}</p>
        <p className="text-sm text-muted">
          {t('invitationFacts', { role: t(role), expires: format.dateTime(expiresAt) })}
        </p>
      </div>
      <Button size="small" isPending={resend.isPending} onClick={() => resend.mutate(undefined)}>
        {t('resend')}
      </Button>
      <Button size="small" isPending={withdraw.isPending} onClick={() => withdraw.mutate(undefined)}>
        {t('withdraw')}
      </Button>
    </li>
  );
}
