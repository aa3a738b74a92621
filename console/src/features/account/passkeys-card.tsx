import { useQuery } from '@tanstack/react-query';
import type { Passkey } from 'sms-service-client';
import { useState, type ReactNode } from 'react';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { useFormat } from '../../i18n/format.ts';
import { ConfirmDialog } from '../../records/confirm-dialog.tsx';
import { useHasPasskeys } from '../auth/passkey-support.ts';
import { passkeysQuery } from './account.ts';
import { AddPasskeyDialog } from './add-passkey-dialog.tsx';
import { useText } from './text.ts';

/** The passkeys of the user. */
export function PasskeysCard(): ReactNode {
  const t = useText();
  const isSupported = useHasPasskeys();
  const { data: passkeys, error, refetch } = useQuery(passkeysQuery);
  const [isAdding, setAdding] = useState(false);
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <Card
      title={t('passkeys')}
      aside={
        isSupported === true && (
          <Button size="small" onClick={() => setAdding(true)}>
            {t('addPasskey')}
          </Button>
        )
      }
      className=""
    >
      {passkeys === undefined || isSupported === undefined ? (
        <Skeleton className="m-4 w-2/3" />
      ) : (
        <p className="p-4 text-muted">{t(isSupported ? 'passkeysHint' : 'noPasskeysHint')}</p>
      )}
      {passkeys !== undefined && passkeys.length > 0 && (
        <ul className="divide-y divide-line border-t border-line">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {isAdding && <AddPasskeyDialog onClose={() => setAdding(false)} />}
    </Card>
  );
}

function PasskeyRow({ passkey }: { passkey: Passkey }): ReactNode {
  const t = useText();
  const format = useFormat();
  const [isRemoving, setRemoving] = useState(false);
  const { id, isSynced, createdAt } = passkey;
  const name = passkey.name ?? t('unnamedPasskey');
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <p className="truncate">{name}</p>
        <p className="text-sm text-muted">
          {t(isSynced ? 'passkeySynced' : 'passkeyOnDevice', { since: format.dateTime(createdAt) })}
        </p>
      </div>
      <Button size="small" aria-label={t('removeNamed', { name })} onClick={() => setRemoving(true)}>
        {t('remove')}
      </Button>
      <ConfirmDialog
        isOpen={isRemoving}
        onClose={() => setRemoving(false)}
        title={t('removeTitle', { name })}
        description={t('removeHint')}
        confirm={t('remove')}
        run={() => sms.auth.removePasskey({ id })}
        done={t('removed', { name })}
        changes={[passkeysQuery.queryKey]}
      />
    </li>
  );
}
