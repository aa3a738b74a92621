import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { FrameLayout } from './frame.tsx';
import { AccountNavigation } from './navigation.tsx';
import { useText } from './text.ts';

/** The frame of the pages about the user's own account, which belongs to no organization. */
export function AccountFrame(): ReactNode {
  const t = useText();
  return (
    <FrameLayout
      top={
        <Link to="/" className="flex h-11 items-center gap-2.5 rounded-md px-2 hover:bg-hover">
          <ArrowLeft aria-hidden className="size-4 text-muted" />
          <span className="min-w-0">
            <span className="block truncate text-sm font-medium">{t('account')}</span>
            <span className="block truncate text-xs text-muted">{t('backToConsole')}</span>
          </span>
        </Link>
      }
      navigation={<AccountNavigation />}
    />
  );
}
