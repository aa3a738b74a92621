import { useQuery } from '@tanstack/react-query';
import type { TwoFactorState } from 'sms-service-client';
import { useState, type ReactNode } from 'react';
import { Badge } from '../../design/badge.tsx';
import { Button } from '../../design/button.tsx';
import { Card } from '../../design/page.tsx';
import { ErrorState, Notice, Skeleton } from '../../design/states.tsx';
import { signInMethodsQuery, twoFactorQuery } from './account.ts';
import { RenewCodesDialog } from './renew-codes-dialog.tsx';
import { useText } from './text.ts';
import { TurnOffDialog } from './turn-off-dialog.tsx';
import { TurnOnDialog } from './turn-on-dialog.tsx';

/** At this number of recovery codes the reader is told to make new ones. */
const fewCodes = 3;

/** The authenticator app of the user, and their recovery codes. */
export function TwoFactorCard(): ReactNode {
  const t = useText();
  const { data: state, error, refetch } = useQuery(twoFactorQuery);
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <Card
      title={t('twoFactor')}
      aside={
        state !== undefined && (
          <Badge tone={state.isEnabled ? 'success' : 'neutral'}>{t(state.isEnabled ? 'on' : 'off')}</Badge>
        )
      }
      className="flex flex-col gap-4 p-4"
    >
      <p className="text-muted">{t('twoFactorHint')}</p>
      {state === undefined ? (
        <Skeleton className="w-2/3" />
      ) : state.isEnabled ? (
        <TurnedOn state={state} />
      ) : (
        <TurnedOff />
      )}
    </Card>
  );
}

function TurnedOff(): ReactNode {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const { data: methods } = useQuery(signInMethodsQuery);
  // Only a sign-in with a password asks for the code. A provider asks for its own second factor.
  const hasPassword = methods?.some(({ providerId }) => providerId === 'credential') ?? true;
  if (!hasPassword) return <Notice tone="info">{t('noPassword')}</Notice>;
  return (
    <div>
      <Button variant="primary" onClick={() => setOpen(true)}>
        {t('turnOn')}
      </Button>
      {isOpen && <TurnOnDialog onClose={() => setOpen(false)} />}
    </div>
  );
}

function TurnedOn({ state: { recoveryCodesLeft: count } }: { state: TwoFactorState }): ReactNode {
  const t = useText();
  const [open, setOpen] = useState<'renewal' | 'end'>();
  const close = (): void => setOpen(undefined);
  return (
    <>
      {count <= fewCodes ? (
        <Notice tone="warning" title={t('codesLeft', { count })}>
          {t('fewCodesHint')}
        </Notice>
      ) : (
        <p>{t('codesLeft', { count })}</p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setOpen('renewal')}>{t('renewCodes')}</Button>
        <Button onClick={() => setOpen('end')}>{t('turnOff')}</Button>
      </div>
      {open === 'renewal' && <RenewCodesDialog onClose={close} />}
      {open === 'end' && <TurnOffDialog onClose={close} />}
    </>
  );
}
