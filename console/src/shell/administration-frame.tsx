import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { organizationsQuery } from '../features/organizations/organization.ts';
import { FrameLayout } from './frame.tsx';
import { AdministrationNavigation } from './navigation.tsx';
import { useText } from './text.ts';

/** The frame of the pages for administrators of the service. */
export function AdministrationFrame(): ReactNode {
  const t = useText();
  const { data: organizations } = useQuery(organizationsQuery);
  const hasNone = organizations?.length === 0;
  return (
    <FrameLayout
      top={
        <Link
          to={hasNone ? '/new-organization' : '/'}
          className="flex h-11 items-center gap-2.5 rounded-md px-2 hover:bg-hover"
        >
          <ArrowLeft aria-hidden className="size-4 text-muted" />
          <span className="min-w-0">
            <span className="block truncate text-sm font-medium">{t('administration')}</span>
            <span className="block truncate text-xs text-muted">
              {t(hasNone ? 'createOrganization' : 'backToOrganization')}
            </span>
          </span>
        </Link>
      }
      navigation={<AdministrationNavigation />}
    />
  );
}
