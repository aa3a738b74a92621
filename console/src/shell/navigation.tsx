import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  accountLinks,
  administrationLinks,
  navigationGroups,
  type NavigationLink,
} from '../features/navigation.ts';
import { useOrganization } from '../features/organizations/organization.ts';
import { useText } from './text.ts';

/** The links to the features, in groups. Links to what the user's role may not see are left out. */
export function Navigation(): ReactNode {
  const t = useText();
  const { slug, isManager } = useOrganization();
  return (
    <nav aria-label={t('navigation')} className="flex flex-1 flex-col gap-5 overflow-y-auto px-2 py-2">
      {navigationGroups.map(({ title, links }) => (
        <div key={title}>
          {title !== 'groupStart' && <h2 className="px-2 pb-1 text-xs font-medium text-muted">{t(title)}</h2>}
          <ul className="flex flex-col gap-px">
            {links
              .filter(({ forManagers }) => isManager || forManagers !== true)
              .map((link) => (
                <NavigationItem key={link.to} link={link} params={{ organization: slug }} />
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The links of the administration of the service. */
export function AdministrationNavigation(): ReactNode {
  return <PlainNavigation links={administrationLinks} />;
}

/** The links of the pages about the user's own account. */
export function AccountNavigation(): ReactNode {
  return <PlainNavigation links={accountLinks} />;
}

function PlainNavigation({ links }: { links: NavigationLink[] }): ReactNode {
  const t = useText();
  return (
    <nav aria-label={t('navigation')} className="flex flex-1 flex-col gap-px overflow-y-auto px-2 py-2">
      <ul className="flex flex-col gap-px">
        {links.map((link) => (
          <NavigationItem key={link.to} link={link} />
        ))}
      </ul>
    </nav>
  );
}

function NavigationItem(props: { link: NavigationLink; params?: { organization: string } }): ReactNode {
  const t = useText();
  const { link, params } = props;
  const { to, label, icon: Icon, isExact } = link;
  return (
    <li>
      <Link
        to={to}
        {...(params && { params })}
        activeOptions={{ exact: isExact === true, includeSearch: false }}
        className="flex h-8 items-center gap-2.5 rounded-md px-2 text-base text-muted hover:bg-hover hover:text-text aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-text max-md:h-11 [&_svg]:size-4 [&_svg]:shrink-0 aria-[current=page]:[&_svg]:text-accent"
      >
        <Icon aria-hidden />
        {t(label)}
      </Link>
    </li>
  );
}
