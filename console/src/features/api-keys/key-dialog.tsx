import type { ApiKey } from 'sms-service-client';
import { useState, type ReactNode } from 'react';
import { sms } from '../../api.ts';
import { ConfirmDialog } from '../../records/confirm-dialog.tsx';
import { Button } from '../../design/button.tsx';
import { Copyable } from '../../design/copyable.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { Facts } from '../../design/page.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useOrganization } from '../organizations/organization.ts';
import { KeyState } from './key-state.tsx';
import { useText } from './text.ts';

/** One key without its secret: what it may do, when it was used, and its end. */
export function KeyDialog({
  apiKey,
  onClose,
}: {
  apiKey: ApiKey | undefined;
  onClose: () => void;
}): ReactNode {
  const t = useText();
  const [isRevoking, setRevoking] = useState(false);
  const close = (): void => {
    setRevoking(false);
    onClose();
  };
  return (
    <>
      <Dialog
        isOpen={apiKey !== undefined && !isRevoking}
        onClose={close}
        width="wide"
        title={apiKey?.name ?? ''}
      >
        {apiKey !== undefined && (
          <>
            <KeyFacts apiKey={apiKey} />
            <Actions>
              <Button onClick={close}>{t('close')}</Button>
              {apiKey.revokedAt === null && (
                <Button variant="danger" onClick={() => setRevoking(true)}>
                  {t('revoke')}
                </Button>
              )}
            </Actions>
          </>
        )}
      </Dialog>
      {apiKey !== undefined && <RevokeDialog apiKey={apiKey} isOpen={isRevoking} onClose={close} />}
    </>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { id, prefix, permissions, createdAt, lastUsedAt, expiresAt, revokedAt } = apiKey;
  return (
    <Facts
      facts={[
        { name: t('environment'), value: <KeyState apiKey={apiKey} /> },
        { name: t('key'), value: <span className="font-mono text-sm">{`${prefix}…`}</span> },
        { name: t('id'), value: <Copyable value={id} /> },
        {
          name: t('permissions'),
          value: <span className="font-mono text-xs leading-5">{permissions.join(', ')}</span>,
        },
        { name: t('createdAt'), value: format.dateTime(createdAt) },
        { name: t('lastUsed'), value: lastUsedAt === null ? t('never') : format.dateTime(lastUsedAt) },
        { name: t('expires'), value: expiresAt === null ? t('never') : format.dateTime(expiresAt) },
        ...(revokedAt === null ? [] : [{ name: t('revoked'), value: format.dateTime(revokedAt) }]),
      ]}
    />
  );
}

function RevokeDialog(props: { apiKey: ApiKey; isOpen: boolean; onClose: () => void }): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const { apiKey, isOpen, onClose } = props;
  const { id, name } = apiKey;
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('revokeTitle', { name })}
      description={t('revokeHint')}
      confirm={t('revokeIt')}
      run={() => sms.apiKeys.revoke(id, { organizationId })}
      done={t('revokedNow', { name })}
      changes={[[organizationId, 'api-keys']]}
    />
  );
}
