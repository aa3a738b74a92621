import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../design/button.tsx';
import { EmptyState, ErrorState } from '../design/states.tsx';
import { useText } from './text.ts';

/** What an address shows that leads nowhere. */
export function NotFoundPage(): ReactNode {
  const t = useText();
  return (
    <main className="mx-auto max-w-lg pt-16">
      <EmptyState
        icon={Compass}
        title={t('notFound')}
        description={t('notFoundHint')}
        action={<ButtonLink to="/">{t('toStart')}</ButtonLink>}
      />
    </main>
  );
}

/** What a page shows that could not be loaded or has failed. */
export function RouteErrorPage({ error, reset }: ErrorComponentProps): ReactNode {
  const router = useRouter();
  return (
    <main className="mx-auto max-w-lg pt-16">
      <ErrorState
        error={error}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </main>
  );
}
