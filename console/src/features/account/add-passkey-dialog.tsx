import {
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { TextField } from '../../design/form-fields.tsx';
import { useToast } from '../../design/toast.tsx';
import { useApiForm } from '../../form.tsx';
import { RecordDialog } from '../../records/record-dialog.tsx';
import { passkeysQuery } from './account.ts';
import { describeDevice } from './describe-device.ts';
import { useText } from './text.ts';

/** Names a passkey, and lets the device make it. */
export function AddPasskeyDialog({ onClose }: { onClose: () => void }): ReactNode {
  const t = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const schema = useMemo(
    () =>
      z.object({
        name: z
          .string()
          .check(z.minLength(1, t('passkeyNameLength')), z.maxLength(100, t('passkeyNameLength'))),
      }),
    [t],
  );
  const form = useApiForm({
    schema,
    defaultValues: { name: describeDevice(navigator.userAgent) ?? '' },
    submit: async ({ name }) => {
      const options = await sms.auth.beginPasskey();
      return sms.auth.addPasskey({ name, response: await askDevice(options) });
    },
    onSuccess: (_passkey, { name }) => {
      toast({ title: t('passkeyAdded', { name }) });
      onClose();
      void queryClient.invalidateQueries(passkeysQuery);
    },
  });
  return (
    <RecordDialog
      title={t('addPasskey')}
      description={t('addPasskeyHint')}
      onClose={onClose}
      onSubmit={form.onSubmit}
      isPending={form.isPending}
      failure={form.failure}
      save={t('next')}
    >
      <TextField control={form.control} name="name" label={t('passkeyName')} hint={t('passkeyNameHint')} />
    </RecordDialog>
  );
}

function askDevice(options: object): Promise<RegistrationResponseJSON> {
  return startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON });
}
