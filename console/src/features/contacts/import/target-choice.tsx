import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Field, Input } from '../../../design/field.tsx';
import { Select } from '../../../design/select.tsx';
import { useOrganization } from '../../organizations/organization.ts';
import { allPhonebooksQuery } from '../../phonebooks/phonebooks.ts';
import { useText } from '../text.ts';
import type { ImportTarget } from './contact-import.ts';

const none = 'none';
const isNew = 'new';

interface TargetChoiceProps {
  target: ImportTarget | null;
  onChange: (target: ImportTarget | null) => void;
}

/** The phonebook that imported contacts go into: none, a new one, or one that exists. */
export function TargetChoice({ target, onChange }: TargetChoiceProps): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const { data: phonebooks = [] } = useQuery(allPhonebooksQuery(organizationId));
  const name = target !== null && 'name' in target ? target.name : null;
  const chosen = target === null ? none : 'phonebook' in target ? target.phonebook.id : isNew;
  const choose = (value: string): void => {
    const phonebook = phonebooks.find(({ id }) => id === value);
    onChange(value === none ? null : phonebook === undefined ? { name: '' } : { phonebook });
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={t('intoWhich')} hint={t('intoPhonebookHint')}>
        <Select
          options={[
            { value: isNew, label: t('newPhonebook') },
            { value: none, label: t('noPhonebook') },
            ...phonebooks.map((phonebook) => ({ value: phonebook.id, label: phonebook.name })),
          ]}
          value={chosen}
          onChange={choose}
        />
      </Field>
      {name !== null && (
        <Field label={t('phonebookName')} error={name.trim() === '' ? t('phonebookNameMissing') : undefined}>
          <Input value={name} maxLength={100} onChange={(event) => onChange({ name: event.target.value })} />
        </Field>
      )}
    </div>
  );
}
