import { Link, type LinkProps } from '@tanstack/react-router';
import type { Notification } from 'sms-service-client';
import type { ReactNode } from 'react';
import { useAction } from '../../action.ts';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { classes } from '../../design/classes.ts';
import { useFormat } from '../../i18n/format.ts';
import { useOrganization } from '../organizations/organization.ts';
import { useText } from './text.ts';

/** The page that shows what a notification is about. `subjectId` is that of a batch. */
const pages: Partial<Record<Notification['kind'], LinkProps['to']>> = {
  batch_completed: '/o/$organization/bulk-sms/$bulkSmsId',
  batch_failed: '/o/$organization/bulk-sms/$bulkSmsId',
  sender_id_reviewed: '/o/$organization/sender-ids',
  schedule_missed: '/o/$organization/schedules',
  webhook_dead: '/o/$organization/webhook-deliveries',
  inbound_failed: '/o/$organization/inbound/messages',
  security_codes_unverified: '/o/$organization/security-codes',
  invitation_received: '/invitations',
};

/** One notification, with the link to what it is about. */
export function NotificationRow({ notification }: { notification: Notification }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { organizationId, slug } = useOrganization();
  const { id, kind, subjectId, title, body, createdAt, readAt } = notification;
  const read = useAction({
    run: () => sms.notifications.read(id, { organizationId }),
    done: () => ({ title: t('isRead') }),
    changes: [[organizationId, 'notifications']],
  });
  const to = pages[kind];
  const isNew = readAt === null;
  return (
    <li className="flex items-start gap-x-3 gap-y-1 px-4 py-3.5 max-sm:flex-wrap">
      <span
        role={isNew ? 'img' : undefined}
        aria-label={isNew ? t('isNew') : undefined}
        className={classes('mt-1.5 size-2 shrink-0 rounded-full', isNew ? 'bg-accent' : 'bg-line')}
      />
      <div className="min-w-0 flex-1">
        <p className={isNew ? 'font-medium' : 'text-muted'}>{title}</p>
        <p className="text-sm text-muted [overflow-wrap:anywhere]">{body}</p>
        <p className="mt-1 flex flex-wrap gap-x-3 text-xs text-muted">
          <span>{t(kind)}</span>
          <time dateTime={createdAt} title={format.dateTime(createdAt)}>
            {format.ago(createdAt)}
          </time>
          {to !== undefined && (
            <Link
              to={to}
              params={{ organization: slug, bulkSmsId: subjectId }}
              className="font-medium text-accent hover:underline"
            >
              {t('look')}
            </Link>
          )}
        </p>
      </div>
      {isNew && (
        <Button
          size="small"
          variant="quiet"
          className="max-sm:ml-auto"
          isPending={read.isPending}
          onClick={() => read.mutate(undefined)}
        >
          {t('markRead')}
        </Button>
      )}
    </li>
  );
}
