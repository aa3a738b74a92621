import { Outlet, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { IconButton } from '../design/button.tsx';
import { PageSkeleton } from '../design/states.tsx';
import { Bell } from '../features/notifications/bell.tsx';
import { useNotificationStream } from '../features/notifications/use-notification-stream.ts';
import { OrganizationSwitcher } from '../features/organizations/organization-switcher.tsx';
import { Navigation } from './navigation.tsx';
import { PageNotices } from './page-notices.tsx';
import { useText } from './text.ts';
import { UserMenu } from './user-menu.tsx';

// Only phones have it, and only some readers open it.
const Drawer = lazy(() => import('./drawer.tsx'));

/** The frame of an organization's pages. */
export function Frame(): ReactNode {
  useNotificationStream();
  return (
    <FrameLayout
      top={
        <div className="flex items-center gap-1">
          <div className="min-w-0 flex-1">
            <OrganizationSwitcher />
          </div>
          <Bell />
        </div>
      }
      navigation={<Navigation />}
    />
  );
}

interface FrameParts {
  /** Where the reader is: an organization, or the administration of the service. */
  top: ReactNode;
  navigation: ReactNode;
}

/** The navigation at the side, on a phone in a drawer, and the page. */
export function FrameLayout({ top, navigation }: FrameParts): ReactNode {
  const t = useText();
  const content = useFocusOnNewPage();
  return (
    <div className="flex min-h-dvh [--shell-top:0px] max-md:flex-col max-md:[--shell-top:3.25rem]">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        {t('skipToContent')}
      </a>
      <aside className="sticky top-0 flex h-dvh w-60 shrink-0 flex-col border-r border-line bg-sunken max-md:hidden">
        <Side top={top} navigation={navigation} />
      </aside>
      <PhoneBar top={top} navigation={navigation} />
      <main ref={content} id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
        <PageNotices />
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}

/** The keyboard goes on at the page that a link led to, not at the link. */
function useFocusOnNewPage(): RefObject<HTMLElement | null> {
  const content = useRef<HTMLElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    content.current?.focus({ preventScroll: true });
  }, [path]);
  return content;
}

function Side({ top, navigation }: FrameParts): ReactNode {
  return (
    <>
      <div className="p-2">{top}</div>
      {navigation}
      <div className="border-t border-line p-2">
        <UserMenu />
      </div>
    </>
  );
}

/** The bar of a phone, with the button of the drawer that holds the navigation. */
function PhoneBar({ top, navigation }: FrameParts): ReactNode {
  const t = useText();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [openAt, setOpenAt] = useState<string>();
  return (
    <header className="sticky top-0 z-10 flex h-13 items-center gap-2 border-b border-line bg-surface px-2 md:hidden">
      <IconButton label={t('openNavigation')} aria-haspopup="dialog" onClick={() => setOpenAt(path)}>
        <MenuIcon aria-hidden />
      </IconButton>
      {openAt !== undefined && (
        <Suspense>
          {/* It closes when a link is followed. */}
          <Drawer isOpen={openAt === path} onClose={() => setOpenAt('')}>
            <Side top={top} navigation={navigation} />
          </Drawer>
        </Suspense>
      )}
      <div className="min-w-0 flex-1">{top}</div>
    </header>
  );
}
