import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Notice } from '../../../design/states.tsx';
import { useOrganization } from '../../organizations/organization.ts';
import { useText } from '../text.ts';

/** Says before anything is written that the batch would be refused, and where a sender comes from. */
export function SenderMissing(): ReactNode {
  const t = useText();
  const { slug } = useOrganization();
  return (
    <Notice tone="warning" title={t('senderMissing')}>
      {t('senderMissingHint')}{' '}
      <Link
        to="/o/$organization/sender-ids"
        params={{ organization: slug }}
        className="font-medium underline"
      >
        {t('toSenders')}
      </Link>
    </Notice>
  );
}
