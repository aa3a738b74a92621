import type { Campaign, Phonebook } from 'sms-service-client';
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { ButtonLink } from '../../../design/button.tsx';
import { TextField } from '../../../design/form-fields.tsx';
import { Card } from '../../../design/page.tsx';
import { SelectField } from '../../../design/select-field.tsx';
import { EmptyState } from '../../../design/states.tsx';
import type { ApiForm } from '../../../form.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { Users } from 'lucide-react';
import { useOrganization } from '../../organizations/organization.ts';
import { useText } from '../text.ts';
import { newCampaign, type BatchValues } from './batch-values.ts';

interface AudienceStepProps {
  form: ApiForm<BatchValues>;
  phonebooks: Phonebook[];
  campaigns: Campaign[];
}

/** To whom, and for which campaign. */
export function AudienceStep({ form, phonebooks, campaigns }: AudienceStepProps): ReactNode {
  const t = useText();
  const format = useFormat();
  const { slug } = useOrganization();
  const { control } = form;
  const campaignId = useWatch({ control, name: 'campaignId' });
  if (phonebooks.length === 0) {
    return (
      <Card>
        <EmptyState
          icon={Users}
          title={t('noPhonebooks')}
          description={t('noPhonebooksHint')}
          action={
            <ButtonLink to="/o/$organization/contacts/import" params={{ organization: slug }}>
              {t('importFile')}
            </ButtonLink>
          }
        />
      </Card>
    );
  }
  return (
    <Card className="grid gap-4 p-4 sm:grid-cols-2">
      <SelectField
        {...{ control, name: 'contactListId', label: t('phonebook'), hint: t('phonebookHint') }}
        options={phonebooks.map(({ id, name, memberCount }) => ({
          value: id,
          label: t('phonebookOption', { name, members: format.number(memberCount) }),
        }))}
      />
      <div className="flex flex-col gap-4">
        <SelectField
          {...{ control, name: 'campaignId', label: t('campaign'), hint: t('campaignHint') }}
          options={[
            ...campaigns.map(({ id, name }) => ({ value: id, label: name })),
            { value: newCampaign, label: t('newCampaign') },
          ]}
        />
        {campaignId === newCampaign && (
          <TextField {...{ control, name: 'campaignName', label: t('campaignName') }} autoComplete="off" />
        )}
      </div>
    </Card>
  );
}
