import { Outlet, useRouterState } from '@tanstack/react-router';
import { Menu as MenuIcon, X } from 'lucide-react';
import { Dialog } from '@base-ui/react/dialog';
import { Suspense, useState, type ReactNode } from 'react';
import { IconButton } from '../design/button.tsx';
import { PageSkeleton } from '../design/states.tsx';
import { Bell } from '../features/notifications/bell.tsx';
import { useNotificationStream } from '../features/notifications/use-notification-stream.ts';
import { OrganizationSwitcher } from '../features/organizations/organization-switcher.tsx';
import { Navigation } from './navigation.tsx';
import { PageNotices } from './page-notices.tsx';
import { useText } from './text.ts';
import { UserMenu } from './user-menu.tsx';

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
      <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col outline-none">
        <PageNotices />
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
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

/** The bar of a phone, with the drawer that holds the navigation. The drawer closes when a link is followed. */
function PhoneBar({ top, navigation }: FrameParts): ReactNode {
  const t = useText();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [openAt, setOpenAt] = useState<string>();
  return (
    <header className="sticky top-0 z-10 flex h-13 items-center gap-2 border-b border-line bg-surface px-2 md:hidden">
      <Dialog.Root open={openAt === path} onOpenChange={(open) => setOpenAt(open ? path : undefined)}>
        <Dialog.Trigger
          render={
            <IconButton label={t('openNavigation')}>
              <MenuIcon aria-hidden />
            </IconButton>
          }
        />
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-20 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
          <Dialog.Popup className="fixed inset-y-0 left-0 z-20 flex w-72 max-w-[85vw] flex-col bg-sunken shadow-floating transition-transform data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
            <Dialog.Title className="sr-only">{t('navigation')}</Dialog.Title>
            <Dialog.Close
              render={
                <IconButton label={t('closeNavigation')} className="absolute top-2 -right-12 bg-raised">
                  <X aria-hidden />
                </IconButton>
              }
            />
            <Side top={top} navigation={navigation} />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      <div className="min-w-0 flex-1">{top}</div>
    </header>
  );
}
