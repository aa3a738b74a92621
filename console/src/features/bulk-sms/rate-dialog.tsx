import { useQueryClient } from '@tanstack/react-query';
import type { BulkSms } from 'sms-service-client';
import { useMemo, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/form-fields.tsx';
import { useToast } from '../../design/toast.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { batchQuery } from './bulk-sms.ts';
import { useText } from './text.ts';

/** Changes how many messages a second a batch may send, from its next messages on. */
export function RateDialog({ batch, onClose }: { batch: BulkSms; onClose: () => void }): ReactNode {
  const t = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { organizationId } = useOrganization();
  const schema = useMemo(
    () =>
      z.object({ ratePerSecond: z.string().check(z.regex(/^(?:[1-9]\d{0,4}|100000)?$/, t('rateRange'))) }),
    [t],
  );
  const { control, onSubmit, failure, isPending } = useApiForm({
    schema,
    defaultValues: { ratePerSecond: batch.ratePerSecond === null ? '' : String(batch.ratePerSecond) },
    submit: ({ ratePerSecond: rate }) =>
      sms.bulkSms.changeRate(batch.id, { organizationId, ratePerSecond: rate === '' ? null : Number(rate) }),
    onSuccess: (changed) => {
      queryClient.setQueryData(batchQuery(organizationId, batch.id).queryKey, changed);
      toast({ title: t('rateChanged') });
      onClose();
    },
  });
  return (
    <Dialog isOpen onClose={onClose} title={t('changeRate')}>
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
        <TextField
          {...{ control, name: 'ratePerSecond', label: t('ratePerSecond'), hint: t('rateHint') }}
          inputMode="numeric"
          autoComplete="off"
        />
        <FormFailure error={failure} />
        <Actions>
          <Button onClick={onClose}>{t('close')}</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {t('changeRate')}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
