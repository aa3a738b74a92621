import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sms } from '../../api.ts';
import { Dialog } from '../../design/dialog.tsx';
import { useToast } from '../../design/toast.tsx';
import { twoFactorQuery } from './account.ts';
import { ProofForm } from './proof-form.tsx';
import { useText } from './text.ts';
import { useProofForm } from './use-proof-form.ts';

/** Turns two-factor sign-in off. */
export function TurnOffDialog({ onClose }: { onClose: () => void }): ReactNode {
  const t = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const form = useProofForm(
    (proof) => sms.auth.disableTwoFactor(proof),
    () => {
      toast({ title: t('turnedOff') });
      onClose();
      void queryClient.invalidateQueries(twoFactorQuery);
    },
  );
  return (
    <Dialog isOpen onClose={onClose} title={t('turnOffTitle')} description={t('turnOffHint')}>
      <ProofForm form={form} submit={t('turnOff')} variant="danger" onCancel={onClose} />
    </Dialog>
  );
}
