import { ChevronsUpDown } from 'lucide-react';
import { lazy, type ReactNode } from 'react';
import { MenuButton } from '../design/menu-button.tsx';
import { useUser } from '../features/auth/session.ts';

const UserMenuItems = lazy(() => import('./user-menu-items.tsx'));

/** Who is signed in, and the menu of what concerns only them. */
export function UserMenu(): ReactNode {
  const user = useUser();
  return (
    <MenuButton
      items={<UserMenuItems />}
      align="start"
      className="flex w-full items-center gap-2.5 rounded-md p-2 text-left hover:bg-hover aria-expanded:bg-hover"
    >
      <span
        aria-hidden
        className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
      >
        {Array.from(user.name)[0]?.toUpperCase()}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">{user.name}</span>
        <span className="block truncate text-xs text-muted">{user.email}</span>
      </span>
      <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted" />
    </MenuButton>
  );
}
