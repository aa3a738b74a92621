import type { Phonebook } from 'sms-service-client';
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { TextField } from '../../../design/form-fields.tsx';
import { Card } from '../../../design/page.tsx';
import { SelectField } from '../../../design/select-field.tsx';
import type { ApiForm } from '../../../form.tsx';
import { PhonePreview } from '../../messages/phone-preview.tsx';
import { useText } from '../text.ts';
import type { BatchValues } from './batch-values.ts';

/** Now, or at a time in the reader's zone, beside what is about to be sent. */
export function TimeStep({
  form,
  phonebooks,
  sender,
}: {
  form: ApiForm<BatchValues>;
  phonebooks: Phonebook[];
  sender: string | null | undefined;
}): ReactNode {
  const t = useText();
  const { control } = form;
  const [when, contactListId, text] = useWatch({ control, name: ['when', 'contactListId', 'text'] });
  const phonebook = phonebooks.find(({ id }) => id === contactListId);
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <Card
        title={t('toWhom', { phonebook: phonebook?.name ?? '' })}
        className="grid gap-4 p-4 sm:grid-cols-2"
      >
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
      <Card title={t('text')}>
        <PhonePreview sender={sender ?? ''} parts={[text]} />
      </Card>
    </div>
  );
}
