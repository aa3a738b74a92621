import { useInfiniteQuery } from '@tanstack/react-query';
import { Braces, FileText } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { parseMergeFields, renderMergeFields } from '../../../../../src/templates/merge-fields.ts';
import { buttonLook } from '../../../design/button.tsx';
import { TextAreaField } from '../../../design/form-fields.tsx';
import { MenuButton } from '../../../design/menu-button.tsx';
import { MenuItem } from '../../../design/menu.tsx';
import { Card } from '../../../design/page.tsx';
import { Notice } from '../../../design/states.tsx';
import type { ApiForm } from '../../../form.tsx';
import { replaceTypography } from '../../messages/replace-typography.ts';
import { SegmentMeter } from '../../messages/segment-meter.tsx';
import { nameOf } from '../../contacts/contacts.ts';
import { useOrganization } from '../../organizations/organization.ts';
import { membersQuery } from '../../phonebooks/phonebooks.ts';
import { templatesQuery } from '../../templates/templates.ts';
import { useText } from '../text.ts';
import type { BatchValues } from './batch-values.ts';
import { MergePreview } from './merge-preview.tsx';

/** What to send: a text with merge fields, seen with the values of real contacts. */
export function TextStep({ form }: { form: ApiForm<BatchValues> }): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const { control, setValue } = form;
  const [text, contactListId] = useWatch({ control, name: ['text', 'contactListId'] });
  const { data: members } = useInfiniteQuery(membersQuery(organizationId, contactListId));
  const contacts = members?.pages[0]?.data ?? [];
  const [shown, setShown] = useState(0);
  const [caret, setCaret] = useState<number>();
  const parsed = parseMergeFields(text);
  const contact = contacts[shown];
  const rendered = renderMergeFields(parsed, contact ?? {});
  const change = (changed: string): void =>
    setValue('text', changed, { shouldDirty: true, shouldValidate: changed !== '' });
  const insert = (field: string): void => {
    const at = caret ?? text.length;
    change(`${text.slice(0, at)}${field}${text.slice(at)}`);
    setCaret(at + field.length);
  };
  const customFields = [...new Set(contacts.flatMap((each) => Object.keys(each.customFields)))].slice(0, 20);
  const fields = ['firstName', 'lastName', 'company', ...customFields.map((name) => `customFields.${name}`)];
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Card className="flex flex-col gap-4 p-4">
        <div className="flex flex-wrap gap-2">
          <Templates onChoose={change} />
          <MenuButton
            align="start"
            className={buttonLook({ size: 'small' })}
            items={fields.map((field) => (
              <MenuItem key={field} onSelect={() => insert(`{{${field}}}`)}>
                <span className="font-mono text-sm">{`{{${field}}}`}</span>
              </MenuItem>
            ))}
          >
            <Braces aria-hidden className="size-4" />
            {t('insertField')}
          </MenuButton>
        </div>
        <TextAreaField
          {...{ control, name: 'text', label: t('text'), rows: 6 }}
          hint={t('textHint', { field: '{{firstName|there}}' })}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        />
        {parsed.problems.map(({ position, message }) => (
          <Notice key={position} tone="warning">
            {t('textProblem', { problem: message })}
          </Notice>
        ))}
        {contact !== undefined && rendered !== text && (
          <p className="-mb-2 text-sm text-muted">
            {t('countedFor', { contact: nameOf(contact) || contact.phoneNumber })}
          </p>
        )}
        <SegmentMeter text={rendered} onReplace={() => change(replaceTypography(text))} />
      </Card>
      <MergePreview {...{ contacts, shown, rendered, onShow: setShown }} />
    </div>
  );
}

/** The templates of the organization, whose content becomes the text. */
function Templates({ onChoose }: { onChoose: (content: string) => void }): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const { data } = useInfiniteQuery(templatesQuery(organizationId, {}));
  const templates = data?.pages[0]?.data.filter(({ category }) => category !== 'otp') ?? [];
  if (templates.length === 0) return null;
  return (
    <MenuButton
      align="start"
      className={buttonLook({ size: 'small' })}
      items={templates.map(({ id, name, content }) => (
        <MenuItem key={id} onSelect={() => onChoose(content)}>
          <span className="truncate">{name}</span>
        </MenuItem>
      ))}
    >
      <FileText aria-hidden className="size-4" />
      {t('useTemplate')}
    </MenuButton>
  );
}
