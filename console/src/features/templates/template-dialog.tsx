import { Send } from 'lucide-react';
import type { Template, TemplateInput } from 'sms-service-client';
import { useMemo, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { parseMergeFields, renderMergeFields } from '../../../../src/templates/merge-fields.ts';
import { sms } from '../../api.ts';
import { ButtonLink } from '../../design/button.tsx';
import { TextAreaField, TextField } from '../../design/form-fields.tsx';
import { SelectField } from '../../design/select-field.tsx';
import { Notice } from '../../design/states.tsx';
import { useToast } from '../../design/toast.tsx';
import { useApiForm } from '../../form.tsx';
import { RecordDialog } from '../../records/record-dialog.tsx';
import { useListChanges } from '../../records/use-list.ts';
import { replaceTypography } from '../messages/replace-typography.ts';
import { SegmentMeter } from '../messages/segment-meter.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { templateCategories, templateScopes } from './templates.ts';
import { useText } from './text.ts';

/** Creates a template, or changes or deletes the one that is given. */
export function TemplateDialog(props: { template: Template | 'new'; onClose: () => void }): ReactNode {
  const { onClose } = props;
  const template = props.template === 'new' ? null : props.template;
  const t = useText();
  const { organizationId, slug } = useOrganization();
  const { remove } = useListChanges<Template>([organizationId, 'templates', 'list']);
  const { control, setValue, onSubmit, failure, isPending } = useTemplateForm(template, onClose);
  const [content, category] = useWatch({ control, name: ['content', 'category'] });
  const isForCodes = category === 'otp';
  const parsed = parseMergeFields(content, { allowsCode: isForCodes });
  // As the service counts: with the defaults, and six digits for the code.
  const rendered = renderMergeFields(parsed, { code: '000000' });
  return (
    <RecordDialog
      {...{ onClose, onSubmit, isPending, failure }}
      title={template === null ? t('create') : t('edit')}
      deletion={
        template === null
          ? undefined
          : {
              title: t('deleteTitle', { name: template.name }),
              description: t('deleteHint'),
              run: () => sms.templates.delete(template.id, { organizationId }),
              done: t('deleted', { name: template.name }),
              onDone: () => remove(template.id),
            }
      }
    >
      <TextField {...{ control, name: 'name', label: t('name') }} autoComplete="off" />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          {...{ control, name: 'category', label: t('category') }}
          options={templateCategories.map((value) => ({ value, label: t(value) }))}
        />
        <SelectField
          {...{ control, name: 'scope', label: t('scope') }}
          options={templateScopes.map((value) => ({ value, label: t(value) }))}
        />
      </div>
      <TextAreaField
        {...{ control, name: 'content', label: t('content'), rows: 5 }}
        hint={t('contentHint', { field: isForCodes ? '{{code}}' : '{{firstName|there}}' })}
      />
      {parsed.problems.map(({ position, message }) => (
        <Notice key={position} tone="warning">
          {t('problem', { problem: message })}
        </Notice>
      ))}
      <SegmentMeter
        text={rendered}
        onReplace={() => setValue('content', replaceTypography(content), { shouldDirty: true })}
      />
      {template !== null && template.category !== 'otp' && (
        <ButtonLink
          to="/o/$organization/bulk-sms/new"
          params={{ organization: slug }}
          search={{ text: template.content }}
          icon={<Send aria-hidden className="size-4" />}
        >
          {t('use')}
        </ButtonLink>
      )}
    </RecordDialog>
  );
}

function useTemplateForm(template: Template | null, onClose: () => void) {
  const t = useText();
  const toast = useToast();
  const { organizationId } = useOrganization();
  const { replace, refresh } = useListChanges<Template>([organizationId, 'templates', 'list']);
  const schema = useMemo(
    () =>
      z.object({
        name: z
          .string()
          .check(z.minLength(1, t('nameMissing')), z.maxLength(100, t('tooLong', { count: 100 }))),
        content: z
          .string()
          .check(z.minLength(1, t('contentMissing')), z.maxLength(4800, t('tooLong', { count: 4800 }))),
        category: z.enum(templateCategories),
        scope: z.enum(templateScopes),
      }),
    [t],
  );
  return useApiForm({
    schema,
    defaultValues: {
      name: template?.name ?? '',
      content: template?.content ?? '',
      category: template?.category ?? 'general',
      scope: template?.scope ?? 'team',
    },
    submit: (values) => {
      const input: TemplateInput = { organizationId, ...values };
      return template === null ? sms.templates.create(input) : sms.templates.update(template.id, input);
    },
    onSuccess: (saved) => {
      if (template === null) void refresh();
      else replace(saved);
      toast({ title: t('saved', { name: saved.name }) });
      onClose();
    },
  });
}
