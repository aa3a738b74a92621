import { Link } from '@tanstack/react-router';
import type { InboundMessage } from 'sms-service-client';
import type { ReactNode } from 'react';
import { useAction } from '../../action.ts';
import { sms } from '../../api.ts';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { Facts } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useOrganization } from '../organizations/organization.ts';
import { InboundStatus } from './inbound-status.tsx';
import { useText } from './text.ts';

/** One inbound message: its text, what has become of it, and the way to reply. */
export function InboundDialog(props: {
  message: InboundMessage | undefined;
  onClose: () => void;
}): ReactNode {
  const { message, onClose } = props;
  return (
    <Dialog isOpen={message !== undefined} onClose={onClose} width="wide" title={message?.from ?? ''}>
      {message !== undefined && <Details message={message} onClose={onClose} />}
    </Dialog>
  );
}

function Details({ message, onClose }: { message: InboundMessage; onClose: () => void }): ReactNode {
  const t = useText();
  const { organizationId, slug } = useOrganization();
  const { id, text, status, errorMessage } = message;
  const redrive = useAction({
    run: () => sms.inbound.redriveMessage(id, { organizationId }),
    done: () => ({ title: t('redriven') }),
    changes: [[organizationId, 'inbound']],
  });
  return (
    <div className="flex flex-col gap-4">
      <p className="w-fit max-w-full rounded-lg bg-sunken px-3.5 py-2.5 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {text}
      </p>
      {errorMessage !== null && (
        <Notice tone={status === 'failed' ? 'danger' : 'info'}>{errorMessage}</Notice>
      )}
      <MessageFacts message={message} />
      <Actions>
        <Button onClick={onClose}>{t('close')}</Button>
        {status === 'failed' && (
          <Button isPending={redrive.isPending} onClick={() => redrive.mutate(undefined)}>
            {t('redrive')}
          </Button>
        )}
        <ButtonLink
          variant="primary"
          to="/o/$organization/inbound/conversations/$messageId"
          params={{ organization: slug, messageId: id }}
        >
          {t('openConversation')}
        </ButtonLink>
      </Actions>
    </div>
  );
}

function MessageFacts({ message }: { message: InboundMessage }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { id, to, status, matched, receivedAt, replyMessageId, inReplyToMessageId } = message;
  const linkTo = (messageId: string | null, name: string) =>
    messageId === null ? [] : [{ name, value: <MessageLink messageId={messageId} /> }];
  return (
    <Facts
      facts={[
        { name: t('status'), value: <InboundStatus status={status} /> },
        { name: t('to'), value: to },
        ...(matched === null ? [] : [{ name: t('matched'), value: t(`matched_${matched}`) }]),
        ...linkTo(replyMessageId, t('replied')),
        ...linkTo(inReplyToMessageId, t('inReplyTo')),
        { name: t('receivedAt'), value: format.dateTime(receivedAt) },
        { name: t('id'), value: <Copyable value={id} /> },
      ]}
    />
  );
}

function MessageLink({ messageId }: { messageId: string }): ReactNode {
  const { slug } = useOrganization();
  return (
    <Link
      to="/o/$organization/messages/$messageId"
      params={{ organization: slug, messageId }}
      className="font-mono text-sm text-accent hover:underline"
    >
      {messageId}
    </Link>
  );
}
