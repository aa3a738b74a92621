import { ChevronsUpDown } from 'lucide-react';
import { lazy, type ReactNode } from 'react';
import { MenuButton } from '../../design/menu-button.tsx';
import { useOrganization } from './organization.ts';
import { useText } from './text.ts';

const OrganizationMenuItems = lazy(() => import('./organization-menu-items.tsx'));

/** Shows the current organization, and leads to the user's other ones. */
export function OrganizationSwitcher(): ReactNode {
  const t = useText();
  const { organization } = useOrganization();
  return (
    <MenuButton
      items={<OrganizationMenuItems />}
      align="start"
      className="flex h-10 w-full items-center gap-2.5 rounded-md px-2 text-left hover:bg-hover aria-expanded:bg-hover"
    >
      <span
        aria-hidden
        className="flex size-6 shrink-0 items-center justify-center rounded-sm bg-accent text-xs font-semibold text-on-accent"
      >
        {Array.from(organization.name)[0]?.toUpperCase()}
      </span>
      <span className="min-w-0 flex-1 truncate font-medium">{organization.name}</span>
      <span className="sr-only">{t('switchOrganization')}</span>
      <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted" />
    </MenuButton>
  );
}
