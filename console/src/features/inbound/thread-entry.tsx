import { Link } from '@tanstack/react-router';
import type { InboundThreadEntry } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Badge } from '../../design/badge.tsx';
import { classes } from '../../design/classes.ts';
import { useFormat } from '../../i18n/format.ts';
import { useOrganization } from '../organizations/organization.ts';
import { useText } from './text.ts';

const outcomes = ['queued', 'accepted', 'sent', 'delivered', 'failed', 'cancelled'] as const;

/** One message of a conversation: at the left those of the phone, at the right those of the organization. */
export function ThreadEntry({ entry }: { entry: InboundThreadEntry }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { direction, text, createdAt, environment, errorCode } = entry;
  const isOwn = direction === 'outbound';
  return (
    <li className={classes('flex max-w-[85%] flex-col gap-1', isOwn ? 'items-end self-end' : 'self-start')}>
      <span className="sr-only">{isOwn ? t('fromUs') : t('fromPhone')}</span>
      <p
        className={classes(
          'w-fit rounded-lg px-3 py-2 leading-5 [overflow-wrap:anywhere] whitespace-pre-wrap',
          isOwn ? 'rounded-br-sm bg-accent-soft' : 'rounded-bl-sm bg-hover',
        )}
      >
        {text}
      </p>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
        <time dateTime={createdAt}>{format.dateTime(createdAt)}</time>
        {environment === 'test' && <Badge tone="accent">{t('test')}</Badge>}
        {isOwn && <Outcome entry={entry} />}
        {!isOwn && errorCode !== null && <code>{errorCode}</code>}
      </p>
    </li>
  );
}

/** The status of an own message, which leads to its page. */
function Outcome({ entry: { id, status, errorCode } }: { entry: InboundThreadEntry }): ReactNode {
  const t = useText();
  const { slug } = useOrganization();
  const outcome = outcomes.find((known) => known === status);
  return (
    <Link
      to="/o/$organization/messages/$messageId"
      params={{ organization: slug, messageId: id }}
      className={classes('hover:underline', status === 'failed' && 'text-danger')}
    >
      {[outcome === undefined ? status : t(`outcome_${outcome}`), errorCode].filter(Boolean).join(': ')}
    </Link>
  );
}
