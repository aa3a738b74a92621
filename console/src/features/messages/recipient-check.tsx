import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSettled } from '../../use-settled.ts';
import { useOrganization } from '../organizations/organization.ts';
import { estimateQuery } from './messages.ts';
import { defaultSender, toMessageInput, type SendValues } from './send-values.ts';
import { useText } from './text.ts';

/** Says to whom the message would go, or why the service would refuse it, while the form is filled in. */
export function RecipientCheck({ values }: { values: Partial<SendValues> }): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const { to = '', text = '', from = defaultSender, environment = 'live' } = useSettled(values);
  const isReady = to.length >= 8 && to.length <= 16;
  // Before there is a text, the recipient is checked with a text of its own.
  const input = toMessageInput({ to, text: text === '' ? '-' : text, from, environment }, organizationId);
  const { data } = useQuery(estimateQuery(isReady ? input : null));
  if (!isReady || data === undefined) return t('recipientHint');
  const { wouldBeRefused } = data;
  if (wouldBeRefused !== null) return <span className="text-danger">{wouldBeRefused.message}</span>;
  return t('goesTo', { recipient: data.to ?? to, sender: data.from ?? '' });
}
