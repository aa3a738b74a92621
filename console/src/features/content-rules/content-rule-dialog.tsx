import { useMemo, type ReactNode } from 'react';
import type { ContentRule } from 'sms-service-client';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { TextAreaField, TextField } from '../../design/form-fields.tsx';
import { SelectField } from '../../design/select-field.tsx';
import { useToast } from '../../design/toast.tsx';
import { useApiForm } from '../../form.tsx';
import { RecordDialog } from '../../records/record-dialog.tsx';
import { toLines } from '../../records/to-lines.ts';
import { useListChanges } from '../../records/use-list.ts';
import { contentRulesKey, ruleKinds } from './content-rules.ts';
import { useText } from './text.ts';

interface RuleDialogProps {
  /** Null for a new one. */
  rule: ContentRule | null;
  onClose: () => void;
}

/** Creates, changes or deletes a rule. Whose it is does not change. */
export function ContentRuleDialog({ rule, onClose }: RuleDialogProps): ReactNode {
  const t = useText();
  const { remove } = useListChanges<ContentRule>(contentRulesKey);
  const { control, onSubmit, failure, isPending } = useRuleForm({ rule, onClose });
  return (
    <RecordDialog
      {...{ onClose, onSubmit, isPending, failure }}
      title={t(rule === null ? 'create' : 'edit')}
      deletion={
        rule === null
          ? undefined
          : {
              title: t('deleteTitle'),
              description: t('deleteHint'),
              run: () => sms.admin.deleteContentRule(rule.id),
              done: t('deleted'),
              onDone: () => remove(rule.id),
            }
      }
    >
      <SelectField
        {...{ control, name: 'kind', label: t('kind') }}
        options={ruleKinds.map((value) => ({ value, label: t(`kind_${value}`) }))}
      />
      <TextAreaField {...{ control, name: 'values', label: t('values'), hint: t('valuesHint') }} rows={4} />
      <TextField
        {...{ control, name: 'reason', label: t('reason'), hint: t('reasonHint') }}
        autoComplete="off"
      />
      {rule === null && (
        <TextField
          {...{ control, name: 'organizationId', label: t('organizationId'), hint: t('organizationIdHint') }}
          autoComplete="off"
        />
      )}
    </RecordDialog>
  );
}

function useRuleForm({ rule, onClose }: RuleDialogProps) {
  const t = useText();
  const toast = useToast();
  const { refresh } = useListChanges<ContentRule>(contentRulesKey);
  const schema = useMemo(
    () =>
      z.object({
        kind: z.enum(ruleKinds),
        values: z.string().check(z.refine((text) => areValues(toLines(text)), t('valuesInvalid'))),
        reason: z.string().check(z.minLength(1, t('reasonInvalid')), z.maxLength(200, t('reasonInvalid'))),
        organizationId: z
          .string()
          .check(
            z.refine((text) => /^([\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12})?$/i.test(text), t('idInvalid')),
          ),
      }),
    [t],
  );
  return useApiForm({
    schema,
    defaultValues: {
      kind: rule?.kind ?? 'contains',
      values: rule?.values.join('\n') ?? '',
      reason: rule?.reason ?? '',
      organizationId: '',
    },
    submit: ({ organizationId, values, ...given }) => {
      const change = { ...given, values: toLines(values) };
      return rule === null
        ? sms.admin.createContentRule({ ...change, ...(organizationId !== '' && { organizationId }) })
        : sms.admin.updateContentRule(rule.id, change);
    },
    onSuccess: () => {
      void refresh();
      toast({ title: t('saved') });
      onClose();
    },
  });
}

/** The limits of the API: openapi/content-rules.yaml. */
function areValues(lines: string[]): boolean {
  return lines.length >= 1 && lines.length <= 100 && lines.every((line) => line.length <= 100);
}
