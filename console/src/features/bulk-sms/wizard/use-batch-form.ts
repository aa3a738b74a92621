import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../../api.ts';
import { useToast } from '../../../design/toast.tsx';
import { useApiForm, type ApiForm } from '../../../form.tsx';
import { useOrganization } from '../../organizations/organization.ts';
import { useText } from '../text.ts';
import { hasOnlyKnownFields, newCampaign, toBatchInput, type BatchValues } from './batch-values.ts';

/**
 * The form of the wizard. Its submission creates the campaign, if it is a new one, and the batch.
 *
 * @param onRefused gets the fields that the API refused, which may be those of an earlier step
 */
export function useBatchForm(
  defaultValues: BatchValues,
  onRefused: (fields: string[]) => void,
): ApiForm<BatchValues> {
  const t = useText();
  const toast = useToast();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { organizationId, slug } = useOrganization();
  // A campaign that was created before the batch was refused is used by the next attempt.
  const created = useRef(new Map<string, string>());
  const campaignOf = async ({ campaignId, campaignName }: BatchValues): Promise<string> => {
    if (campaignId !== newCampaign) return campaignId;
    const known = created.current.get(campaignName);
    if (known !== undefined) return known;
    const { id } = await sms.campaigns.create({ organizationId, name: campaignName });
    created.current.set(campaignName, id);
    void queryClient.invalidateQueries({ queryKey: [organizationId, 'campaigns'] });
    return id;
  };
  return useApiForm({
    schema: useSchema(),
    defaultValues,
    onRefused,
    submit: async (values) =>
      sms.bulkSms.create(toBatchInput(values, await campaignOf(values), organizationId)),
    onSuccess: async ({ id, status }) => {
      void queryClient.invalidateQueries({ queryKey: [organizationId, 'bulk-sms', 'list'] });
      toast({ title: t(status === 'scheduled' ? 'createdForLater' : 'createdNow') });
      await navigate({
        to: '/o/$organization/bulk-sms/$bulkSmsId',
        params: { organization: slug, bulkSmsId: id },
      });
    },
  });
}

function useSchema() {
  const t = useText();
  return useMemo(
    () =>
      z
        .object({
          contactListId: z.string().check(z.minLength(1, t('phonebookMissing'))),
          campaignId: z.string(),
          campaignName: z.string().check(z.maxLength(100, t('nameLength'))),
          text: z
            .string()
            .check(
              z.minLength(1, t('textMissing')),
              z.maxLength(1600, t('textTooLong')),
              z.refine(hasOnlyKnownFields, t('fieldsUnknown')),
            ),
          when: z.enum(['now', 'later']),
          scheduledAt: z.string(),
        })
        .check(
          z.refine(
            ({ campaignId, campaignName }) => campaignId !== newCampaign || campaignName.trim() !== '',
            {
              ...{ error: t('campaignNameMissing'), path: ['campaignName'], when: () => true },
            },
          ),
          z.refine(({ when, scheduledAt }) => when === 'now' || new Date(scheduledAt) > new Date(), {
            ...{ error: t('timeInFuture'), path: ['scheduledAt'], when: () => true },
          }),
        ),
    [t],
  );
}
