import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { sms } from '../../api.ts';
import { Dialog } from '../../design/dialog.tsx';
import { twoFactorQuery } from './account.ts';
import { ProofForm } from './proof-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useText } from './text.ts';
import { useProofForm } from './use-proof-form.ts';

/** Makes new recovery codes, and shows them once. */
export function RenewCodesDialog({ onClose }: { onClose: () => void }): ReactNode {
  const t = useText();
  const queryClient = useQueryClient();
  const [codes, setCodes] = useState<string[]>();
  const form = useProofForm(
    (proof) => sms.auth.renewRecoveryCodes(proof),
    ({ recoveryCodes }) => {
      setCodes(recoveryCodes);
      void queryClient.invalidateQueries(twoFactorQuery);
    },
  );
  if (codes === undefined) {
    return (
      <Dialog isOpen onClose={onClose} title={t('renewCodes')} description={t('renewCodesHint')}>
        <ProofForm form={form} submit={t('renewNow')} variant="primary" onCancel={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog isOpen title={t('recoveryCodes')} description={t('renewedHint')}>
      <RecoveryCodes codes={codes} onDone={onClose} />
    </Dialog>
  );
}
