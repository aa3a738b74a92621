import { useQueryClient } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { SecurityCodeWatch } from 'sms-service-client';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { TextAreaField, TextField } from '../../design/form-fields.tsx';
import { SelectField } from '../../design/select-field.tsx';
import { useToast } from '../../design/toast.tsx';
import { useApiForm } from '../../form.tsx';
import { RecordDialog } from '../../records/record-dialog.tsx';
import { toLines } from '../../records/to-lines.ts';
import { securityCodeWatchKey } from './security-code-watch.ts';
import { useText } from './text.ts';

const modes = ['off', 'alarm', 'hold'] as const satisfies SecurityCodeWatch['mode'][];

/** The limits of the API: openapi/security-code-watch.yaml. */
const limits = {
  minCodes: { from: 5, to: 1_000_000 },
  minVerifiedPercent: { from: 1, to: 100 },
  holdHours: { from: 1, to: 720 },
};

/** Changes when codes that nobody verifies raise an alarm, and what happens then. */
export function WatchDialog(props: { watch: SecurityCodeWatch; onClose: () => void }): ReactNode {
  const t = useText();
  const { control, onSubmit, failure, isPending } = useWatchForm(props);
  return (
    <RecordDialog
      {...{ onClose: props.onClose, onSubmit, isPending, failure }}
      title={t('settings')}
      description={t('settingsHint')}
    >
      <SelectField
        {...{ control, name: 'mode', label: t('mode') }}
        options={modes.map((value) => ({ value, label: t(`choice_${value}`) }))}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField {...{ control, name: 'minCodes', label: t('minCodes') }} inputMode="numeric" />
        <TextField
          {...{ control, name: 'minVerifiedPercent', label: t('minVerifiedPercent') }}
          inputMode="numeric"
        />
        <TextField {...{ control, name: 'holdHours', label: t('holdHours') }} inputMode="numeric" />
      </div>
      <TextAreaField
        {...{ control, name: 'exemptPrefixes', label: t('exemptPrefixes'), hint: t('exemptPrefixesHint') }}
        rows={2}
      />
      <TextAreaField
        {...{ control, name: 'exemptOrganizationIds', label: t('exemptOrganizations') }}
        hint={t('exemptOrganizationsHint')}
        rows={2}
      />
    </RecordDialog>
  );
}

function useWatchForm({ watch, onClose }: { watch: SecurityCodeWatch; onClose: () => void }) {
  const t = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const schema = useMemo(() => {
    const within = ({ from, to }: { from: number; to: number }) =>
      z
        .string()
        .check(
          z.refine(
            (text) => /^\d{1,7}$/.test(text) && Number(text) >= from && Number(text) <= to,
            t('numberBetween', { from, to }),
          ),
        );
    const linesOf = (pattern: RegExp, reason: string) =>
      z.string().check(z.refine((text) => toLines(text).every((line) => pattern.test(line)), reason));
    return z.object({
      mode: z.enum(modes),
      minCodes: within(limits.minCodes),
      minVerifiedPercent: within(limits.minVerifiedPercent),
      holdHours: within(limits.holdHours),
      exemptPrefixes: linesOf(/^\+[1-9]\d{0,5}$/, t('prefixInvalid')),
      exemptOrganizationIds: linesOf(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i, t('idInvalid')),
    });
  }, [t]);
  return useApiForm({
    schema,
    defaultValues: {
      mode: watch.mode,
      minCodes: String(watch.minCodes),
      minVerifiedPercent: String(watch.minVerifiedPercent),
      holdHours: String(watch.holdHours),
      exemptPrefixes: watch.exemptPrefixes.join('\n'),
      exemptOrganizationIds: watch.exemptOrganizationIds.join('\n'),
    },
    submit: (values) =>
      sms.admin.changeSecurityCodeWatch({
        mode: values.mode,
        minCodes: Number(values.minCodes),
        minVerifiedPercent: Number(values.minVerifiedPercent),
        holdHours: Number(values.holdHours),
        exemptPrefixes: toLines(values.exemptPrefixes),
        exemptOrganizationIds: toLines(values.exemptOrganizationIds),
      }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: securityCodeWatchKey });
      toast({ title: t('saved') });
      onClose();
    },
  });
}
