import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { Retention } from 'sms-service-client';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/form-fields.tsx';
import { Card } from '../../design/page.tsx';
import { ErrorState, Skeleton } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { useText } from './text.ts';

function retentionQuery(organizationId: string) {
  return queryOptions({
    queryKey: [organizationId, 'retention'],
    queryFn: ({ signal }) => sms.privacy.getRetention({ organizationId }, { signal }),
  });
}

/** After how many days the organization's personal data is discarded. */
export function RetentionCard(): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const { data: retention, error, refetch } = useQuery(retentionQuery(organizationId));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <Card title={t('retention')}>
      {retention === undefined ? (
        <Skeleton className="w-2/3" />
      ) : (
        <RetentionForm key={organizationId} retention={retention} />
      )}
    </Card>
  );
}

function RetentionForm({ retention }: { retention: Retention }): ReactNode {
  const t = useText();
  const form = useRetentionForm(retention);
  const { control } = form;
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <p className="text-sm text-muted">{t('retentionText')}</p>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField control={control} name="textDays" label={t('textDays')} inputMode="numeric" />
        <TextField control={control} name="numberDays" label={t('numberDays')} inputMode="numeric" />
        <TextField control={control} name="inboundDays" label={t('inboundDays')} inputMode="numeric" />
        <TextField
          control={control}
          name="webhookBodyDays"
          label={t('webhookBodyDays')}
          inputMode="numeric"
        />
      </div>
      <FormFailure error={form.failure} />
      <div className="flex justify-end">
        <Button type="submit" variant="primary" isPending={form.isPending}>
          {t('saveRetention')}
        </Button>
      </div>
    </form>
  );
}

function useRetentionForm(retention: Retention) {
  const t = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { organizationId } = useOrganization();
  const schema = useMemo(() => {
    const days = z.string().check(z.refine((text) => text === '' || isDays(text), t('daysInvalid')));
    return z.object({ textDays: days, numberDays: days, inboundDays: days, webhookBodyDays: days });
  }, [t]);
  return useApiForm({
    schema,
    defaultValues: {
      textDays: toText(retention.textDays),
      numberDays: toText(retention.numberDays),
      inboundDays: toText(retention.inboundDays),
      webhookBodyDays: toText(retention.webhookBodyDays),
    },
    submit: (values) =>
      sms.privacy.setRetention({
        organizationId,
        textDays: toDays(values.textDays),
        numberDays: toDays(values.numberDays),
        inboundDays: toDays(values.inboundDays),
        webhookBodyDays: toDays(values.webhookBodyDays),
      }),
    onSuccess: (saved) => {
      queryClient.setQueryData(retentionQuery(organizationId).queryKey, saved);
      toast({ title: t('retentionSaved') });
    },
  });
}

const toText = (days: number | null): string => (days === null ? '' : String(days));

const toDays = (text: string): number | null => (text === '' ? null : Number(text));

/** The limits of the API: openapi/privacy.yaml. */
function isDays(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 7 && Number(text) <= 3650;
}
