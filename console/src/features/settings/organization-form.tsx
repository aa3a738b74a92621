import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useId, useMemo, useState, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/form-fields.tsx';
import { Card } from '../../design/page.tsx';
import { useToast } from '../../design/toast.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { useLanguage } from '../../i18n/language.tsx';
import { organizationsQuery, useOrganization } from '../organizations/organization.ts';
import { organizationTimezone, withTimezone } from '../organizations/timezone.ts';
import { useText } from './text.ts';

/** The name of the organization and its time zone. */
export function OrganizationForm(): ReactNode {
  const t = useText();
  const zonesId = useId();
  const form = useOrganizationForm();
  const timezone = useWatch({ control: form.control, name: 'timezone' });
  return (
    <Card title={t('organization')}>
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        <TextField control={form.control} name="name" label={t('name')} autoComplete="organization" />
        <TextField
          control={form.control}
          name="timezone"
          label={t('timezone')}
          hint={t('timezoneHint')}
          aside={<LocalTime timezone={timezone} />}
          list={zonesId}
          autoComplete="off"
          spellCheck={false}
        />
        <datalist id={zonesId}>
          {Intl.supportedValuesOf('timeZone').map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
        <FormFailure error={form.failure} />
        <div className="flex justify-end">
          <Button type="submit" variant="primary" isPending={form.isPending}>
            {t('save')}
          </Button>
        </div>
      </form>
    </Card>
  );
}

function useOrganizationForm() {
  const t = useText();
  const toast = useToast();
  const router = useRouter();
  const queryClient = useQueryClient();
  const { organization, organizationId } = useOrganization();
  const { metadata, name } = organization;
  const schema = useMemo(
    () =>
      z.object({
        name: z.string().check(z.minLength(1, t('nameMissing')), z.maxLength(100, t('nameTooLong'))),
        timezone: z.string().check(z.refine(isTimezone, t('timezoneUnknown'))),
      }),
    [t],
  );
  return useApiForm({
    schema,
    defaultValues: { name, timezone: organizationTimezone(metadata) },
    submit: (values) =>
      sms.organizations.update({
        organizationId,
        data: { name: values.name, metadata: withTimezone(metadata, values.timezone) },
      }),
    onSuccess: async () => {
      toast({ title: t('saved') });
      await queryClient.invalidateQueries({ queryKey: organizationsQuery.queryKey });
      // Reports count their days in the time zone.
      await queryClient.invalidateQueries({ queryKey: [organizationId] });
      await router.invalidate();
    },
  });
}

function LocalTime({ timezone }: { timezone: string }): ReactNode {
  const t = useText();
  const { language } = useLanguage();
  const [now] = useState(() => new Date());
  if (!isTimezone(timezone)) return null;
  const time = new Intl.DateTimeFormat(language, {
    timeZone: timezone,
    timeStyle: 'short',
    hourCycle: 'h23',
  }).format(now);
  return <span>{t('localTime', { time })}</span>;
}

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format();
    return /^[A-Za-z]/.test(name);
  } catch {
    return false;
  }
}
