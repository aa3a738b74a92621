import type { FailedMessage } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Button, ButtonLink } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { Facts } from '../../design/page.tsx';
import { Notice } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useText } from './text.ts';
import { WorkflowLink } from './workflow-link.tsx';

/** One failed message of any organization, without its text: why it failed, and the workflow that carried it. */
export function FailedMessageDialog(props: {
  message: FailedMessage | undefined;
  onClose: () => void;
}): ReactNode {
  const { message, onClose } = props;
  return (
    <Dialog
      isOpen={message !== undefined}
      onClose={onClose}
      width="wide"
      title={message?.to ?? ''}
      description={message?.organizationName}
    >
      {message !== undefined && <Details message={message} onClose={onClose} />}
    </Dialog>
  );
}

function Details({ message, onClose }: { message: FailedMessage; onClose: () => void }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { id, organizationId, errorCode, errorMessage, from, environment, bulkSmsId, workflowId } = message;
  const { createdAt, failedAt } = message;
  return (
    <div className="flex flex-col gap-4">
      {errorCode !== null && (
        <Notice tone="danger" title={errorCode}>
          {errorMessage}
        </Notice>
      )}
      <Facts
        facts={[
          { name: t('id'), value: <Copyable value={id} /> },
          { name: t('organization'), value: <Copyable value={organizationId} /> },
          { name: t('sender'), value: from },
          { name: t('environment'), value: environment === 'live' ? t('live') : t('test') },
          ...(bulkSmsId === null ? [] : [{ name: t('batch'), value: <Copyable value={bulkSmsId} /> }]),
          ...(workflowId === null
            ? []
            : [{ name: t('workflow'), value: <WorkflowLink workflowId={workflowId} /> }]),
          { name: t('created'), value: format.dateTime(createdAt) },
          ...(failedAt === null ? [] : [{ name: t('failedAt'), value: format.dateTime(failedAt) }]),
        ]}
      />
      <Actions>
        <Button onClick={onClose}>{t('close')}</Button>
        <ButtonLink
          variant="primary"
          to="/admin/redrives"
          search={{ start: 'messages', organizationId, from: createdAt }}
        >
          {t('redriveSince')}
        </ButtonLink>
      </Actions>
    </div>
  );
}
