import type { SenderId } from 'sms-service-client';
import { useState, type ReactNode } from 'react';
import { sms } from '../../api.ts';
import { ConfirmDialog } from '../../records/confirm-dialog.tsx';
import { Button } from '../../design/button.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { RequestSenderDialog } from './request-sender-dialog.tsx';
import { SenderFacts } from './sender-facts.tsx';
import { useText } from './text.ts';

interface SenderDialogProps {
  sender: SenderId | undefined;
  mayChange: boolean;
  onClose: () => void;
}

/** One sender ID: its review, and what can be done with it now. */
export function SenderDialog({ sender, mayChange, onClose }: SenderDialogProps): ReactNode {
  const [next, setNext] = useState<'resubmit' | 'delete'>();
  const close = (): void => {
    setNext(undefined);
    onClose();
  };
  return (
    <>
      <Dialog
        isOpen={sender !== undefined && next === undefined}
        onClose={close}
        width="wide"
        title={sender?.value ?? ''}
      >
        {sender !== undefined && (
          <>
            <SenderFacts sender={sender} />
            <SenderActions sender={sender} mayChange={mayChange} onChoose={setNext} onClose={close} />
          </>
        )}
      </Dialog>
      <RequestSenderDialog isOpen={next === 'resubmit'} onClose={close} rejected={sender} />
      {sender !== undefined && (
        <DeleteSenderDialog sender={sender} isOpen={next === 'delete'} onClose={close} />
      )}
    </>
  );
}

function SenderActions(props: {
  sender: SenderId;
  mayChange: boolean;
  onChoose: (next: 'resubmit' | 'delete') => void;
  onClose: () => void;
}): ReactNode {
  const t = useText();
  const { sender, mayChange, onChoose, onClose } = props;
  return (
    <Actions>
      <Button onClick={onClose}>{t('close')}</Button>
      {mayChange && sender.status !== 'approved' && (
        <Button onClick={() => onChoose('delete')}>{t('delete')}</Button>
      )}
      {mayChange && sender.status === 'rejected' && (
        <Button variant="primary" onClick={() => onChoose('resubmit')}>
          {t('resubmit')}
        </Button>
      )}
    </Actions>
  );
}

function DeleteSenderDialog(props: { sender: SenderId; isOpen: boolean; onClose: () => void }): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const { sender, isOpen, onClose } = props;
  const { id, value } = sender;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('deleteTitle', { value })}
      description={t('deleteHint')}
      confirm={t('delete')}
      run={() => sms.senderIds.delete(id, { organizationId })}
      done={t('deleted', { value })}
      changes={[[organizationId, 'sender-ids']]}
    />
  );
}
