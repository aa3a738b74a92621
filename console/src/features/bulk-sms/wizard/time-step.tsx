import type { Phonebook } from 'sms-service-client';
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { TextField } from '../../../design/form-fields.tsx';
import { Card } from '../../../design/page.tsx';
import { SelectField } from '../../../design/select-field.tsx';
import type { ApiForm } from '../../../form.tsx';
import { useText } from '../text.ts';
import type { BatchValues } from './batch-values.ts';

/** Now, or at a time in the reader's zone. */
export function TimeStep({
  form,
  phonebooks,
}: {
  form: ApiForm<BatchValues>;
  phonebooks: Phonebook[];
}): ReactNode {
  const t = useText();
  const { control } = form;
  const [when, contactListId] = useWatch({ control, name: ['when', 'contactListId'] });
  const phonebook = phonebooks.find(({ id }) => id === contactListId);
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Card title={t('toWhom', { phonebook: phonebook?.name ?? '' })} className="grid gap-4 p-4 sm:grid-cols-2">
      <SelectField
        {...{ control, name: 'when', label: t('when'), hint: t(when === 'now' ? 'nowHint' : 'laterHint') }}
        options={[
          { value: 'now', label: t('now') },
          { value: 'later', label: t('later') },
        ]}
      />
      {when === 'later' && (
        <TextField
          {...{ control, name: 'scheduledAt', label: t('startAt'), hint: t('zone', { zone }) }}
          type="datetime-local"
        />
      )}
    </Card>
  );
}
