import { useQueryClient } from '@tanstack/react-query';
import type { InboundKeyword } from 'sms-service-client';
import { useMemo, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { useAction } from '../../action.ts';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { CheckboxField, TextAreaField, TextField } from '../../design/form-fields.tsx';
import { SelectField } from '../../design/select-field.tsx';
import { useToast } from '../../design/toast.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { matchTypes } from './inbound.ts';
import { useText } from './text.ts';

interface KeywordFormProps {
  /** The rule to change; undefined for a new one. */
  rule: InboundKeyword | undefined;
  onClose: () => void;
}

/** Creates or changes a rule. */
export function KeywordDialog({ isOpen, rule, onClose }: KeywordFormProps & { isOpen: boolean }): ReactNode {
  const t = useText();
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={rule === undefined ? t('newRule') : t('changeRule', { keyword: rule.keyword })}
      description={t('ruleHint')}
    >
      {isOpen && <KeywordForm key={rule?.id} rule={rule} onClose={onClose} />}
    </Dialog>
  );
}

function KeywordForm({ rule, onClose }: KeywordFormProps): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const form = useKeywordForm({ rule, onClose });
  const { control } = form;
  const remove = useAction({
    run: () => sms.inbound.deleteKeyword(rule!.id, { organizationId }),
    done: () => ({ title: t('ruleDeleted', { keyword: rule!.keyword }) }),
    changes: [[organizationId, 'inbound', 'keywords']],
    onDone: onClose,
  });
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <TextField
        control={control}
        name="keyword"
        label={t('keyword')}
        hint={t('keywordHint')}
        maxLength={60}
      />
      <SelectField
        control={control}
        name="matchType"
        label={t('matchType')}
        options={matchTypes.map((value) => ({ value, label: t(value) }))}
      />
      <TextAreaField control={control} name="response" label={t('response')} rows={3} />
      <CheckboxField control={control} name="enabled" label={t('isEnabled')} />
      <FormFailure error={form.failure} />
      <Actions>
        {rule !== undefined && (
          <Button
            className="mr-auto max-sm:mr-0"
            isPending={remove.isPending}
            onClick={() => remove.mutate(undefined)}
          >
            {t('deleteRule')}
          </Button>
        )}
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button type="submit" variant="primary" isPending={form.isPending}>
          {t('saveRule')}
        </Button>
      </Actions>
    </form>
  );
}

function useKeywordForm({ rule, onClose }: KeywordFormProps) {
  const t = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { organizationId } = useOrganization();
  const schema = useMemo(
    () =>
      z.object({
        keyword: z.string().check(z.minLength(1, t('keywordMissing'))),
        matchType: z.enum(matchTypes),
        response: z
          .string()
          .check(z.minLength(1, t('responseMissing')), z.maxLength(1600, t('responseMissing'))),
        enabled: z.boolean(),
      }),
    [t],
  );
  return useApiForm({
    schema,
    defaultValues: {
      keyword: rule?.keyword ?? '',
      matchType: rule?.matchType ?? 'exact',
      response: rule?.response ?? '',
      enabled: rule?.enabled ?? true,
    },
    submit: (values) => {
      const input = { ...values, organizationId };
      return rule === undefined
        ? sms.inbound.createKeyword(input)
        : sms.inbound.updateKeyword(rule.id, input);
    },
    onSuccess: ({ keyword }) => {
      void queryClient.invalidateQueries({ queryKey: [organizationId, 'inbound', 'keywords'] });
      toast({ title: t('ruleSaved', { keyword }) });
      onClose();
    },
  });
}
