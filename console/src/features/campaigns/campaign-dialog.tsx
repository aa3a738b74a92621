import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import type { Campaign, CampaignInput } from 'sms-service-client';
import { useMemo, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { ButtonLink } from '../../design/button.tsx';
import { TextAreaField, TextField } from '../../design/form-fields.tsx';
import { SelectField } from '../../design/select-field.tsx';
import { useToast } from '../../design/toast.tsx';
import { useApiForm } from '../../form.tsx';
import { RecordDialog } from '../../records/record-dialog.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { senderIdsQuery } from '../sender-ids/sender-ids.ts';
import { campaignStatuses } from './campaigns.ts';
import { useText } from './text.ts';

/** Stands for the organization's default sender: a choice cannot have an empty value. */
const defaultSender = 'default';

/** Creates a campaign, or changes or deletes the one that is given. */
export function CampaignDialog(props: { campaign: Campaign | 'new'; onClose: () => void }): ReactNode {
  const { onClose } = props;
  const campaign = props.campaign === 'new' ? null : props.campaign;
  const t = useText();
  const { organizationId, slug } = useOrganization();
  const { control, onSubmit, failure, isPending } = useCampaignForm(campaign, onClose);
  const { data: senders } = useQuery(senderIdsQuery(organizationId));
  const approved = senders?.data.filter(({ status }) => status === 'approved') ?? [];
  const options = [
    { value: defaultSender, label: t('defaultSender') },
    ...approved.map(({ value }) => ({ value, label: value })),
  ];
  return (
    <RecordDialog
      {...{ onClose, onSubmit, isPending, failure }}
      title={campaign === null ? t('create') : t('edit')}
      // Batches name their campaign, so only one without any can go.
      deletion={
        campaign?.batches === 0
          ? {
              title: t('deleteTitle', { name: campaign.name }),
              description: t('deleteHint'),
              run: () => sms.campaigns.delete(campaign.id, { organizationId }),
              done: t('deleted', { name: campaign.name }),
              changes: [[organizationId, 'campaigns']],
            }
          : undefined
      }
    >
      <TextField {...{ control, name: 'name', label: t('name') }} autoComplete="off" />
      <TextAreaField {...{ control, name: 'description', label: t('description') }} rows={2} />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField {...{ control, name: 'sender', label: t('sender'), options }} />
        <SelectField
          {...{ control, name: 'status', label: t('status'), hint: t('statusHint') }}
          options={campaignStatuses.map((value) => ({ value, label: t(value) }))}
        />
      </div>
      {campaign?.status === 'active' && (
        <ButtonLink
          to="/o/$organization/bulk-sms/new"
          params={{ organization: slug }}
          search={{ campaignId: campaign.id }}
          icon={<Send aria-hidden className="size-4" />}
        >
          {t('sendBatch')}
        </ButtonLink>
      )}
    </RecordDialog>
  );
}

function useCampaignForm(campaign: Campaign | null, onClose: () => void) {
  const t = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { organizationId } = useOrganization();
  const schema = useMemo(
    () =>
      z.object({
        name: z
          .string()
          .check(z.minLength(1, t('nameMissing')), z.maxLength(100, t('tooLong', { count: 100 }))),
        description: z.string().check(z.maxLength(1000, t('tooLong', { count: 1000 }))),
        sender: z.string(),
        status: z.enum(campaignStatuses),
      }),
    [t],
  );
  return useApiForm({
    schema,
    defaultValues: {
      name: campaign?.name ?? '',
      description: campaign?.description ?? '',
      sender: campaign?.sender ?? defaultSender,
      status: campaign?.status ?? 'active',
    },
    submit: ({ name, description, sender, status }) => {
      const input: CampaignInput = {
        ...{ organizationId, name, status },
        description: description === '' ? null : description,
        sender: sender === defaultSender ? null : sender,
      };
      return campaign === null ? sms.campaigns.create(input) : sms.campaigns.update(campaign.id, input);
    },
    onSuccess: ({ name }) => {
      void queryClient.invalidateQueries({ queryKey: [organizationId, 'campaigns'] });
      toast({ title: t('saved', { name }) });
      onClose();
    },
  });
}
