import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bell as BellIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormat } from '../../i18n/format.ts';
import { useOrganization } from '../organizations/organization.ts';
import { unreadCountQuery } from './notifications.ts';
import { useText } from './text.ts';

const mostShown = 99;

/** Leads to the notifications, and says how many are new. */
export function Bell(): ReactNode {
  const t = useText();
  const format = useFormat();
  const { organizationId, slug } = useOrganization();
  const { data: count = 0 } = useQuery(unreadCountQuery(organizationId));
  const label = count === 0 ? t('title') : t('unreadCount', { count });
  return (
    <Link
      to="/o/$organization/notifications"
      params={{ organization: slug }}
      aria-label={label}
      title={label}
      className="relative inline-flex size-9 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text aria-[current=page]:text-accent max-sm:size-10"
    >
      <BellIcon aria-hidden className="size-4" />
      {count > 0 && (
        <span
          aria-hidden
          className="absolute top-0.5 right-0 flex h-4 min-w-4 items-center justify-center rounded-full bg-danger px-1 text-[0.625rem] leading-none font-semibold text-on-danger"
        >
          {count > mostShown ? `${format.number(mostShown)}+` : format.number(count)}
        </span>
      )}
    </Link>
  );
}
