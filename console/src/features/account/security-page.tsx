import type { ReactNode } from 'react';
import { Page } from '../../design/page.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { useText } from './text.ts';
import { TwoFactorCard } from './two-factor-card.tsx';

/** How the user signs in, and where they are signed in. */
export function SecurityPage(): ReactNode {
  const t = useText();
  return (
    <Page title={t('title')} description={t('description')} width="narrow">
      <TwoFactorCard />
      <PasskeysCard />
      <SessionsCard />
    </Page>
  );
}
