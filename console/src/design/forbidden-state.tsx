import { Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../i18n/error-text.ts';
import { EmptyState } from './states.tsx';

/** What is shown in place of a page that the reader's role does not include. */
export function ForbiddenState(): ReactNode {
  const t = useText();
  return (
    <div role="alert">
      <EmptyState icon={Lock} title={t('forbiddenTitle')} description={t('forbiddenDetail')} />
    </div>
  );
}
