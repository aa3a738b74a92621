import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { useToast } from '../../design/toast.tsx';
import { useApiForm } from '../../form.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { organizationTimezone } from '../organizations/timezone.ts';
import { localTimeOf, momentOf } from './local-time.ts';
import { recurrenceUnits, type Timetable } from './occurrences.ts';
import { useText } from './text.ts';

export const neverRepeats = 'never';
export const defaultSender = '';

interface ScheduleValues {
  to: string;
  from: string;
  text: string;
  /** Local times of `timezone`, as the browser's fields write them. */
  startsAt: string;
  endsAt: string;
  timezone: string;
  unit: string;
  interval: string;
}

/** When the schedule of the form runs; null while an entry is missing or invalid. */
export function timetableOf(values: Partial<ScheduleValues>): Timetable | null {
  const { timezone = 'UTC', unit = neverRepeats } = values;
  const startsAt = momentOf(values.startsAt ?? '', timezone);
  const interval = Number(values.interval);
  const known = recurrenceUnits.find((value) => value === unit);
  if (startsAt === null || (known !== undefined && !(interval >= 1 && interval <= 1000))) return null;
  return {
    ...{ startsAt, timezone, endsAt: momentOf(values.endsAt ?? '', timezone) },
    recurrence: known === undefined ? null : { unit: known, interval: Math.floor(interval) },
  };
}

/** The form of a new schedule. Its first run is an hour from now, in the organization's zone. */
export function useScheduleForm() {
  const t = useText();
  const toast = useToast();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { organizationId, slug, organization } = useOrganization();
  const organizationZone = organizationTimezone(organization.metadata);
  const [startsAt] = useState(() => localTimeOf(new Date(Date.now() + 3_600_000), organizationZone));
  const schema = useScheduleSchema();
  const form = useApiForm({
    schema,
    defaultValues: {
      ...{ to: '', from: defaultSender, text: '', endsAt: '', timezone: organizationZone },
      ...{ startsAt, unit: neverRepeats, interval: '1' },
    },
    submit: (values) => {
      const { to, text, from, timezone } = values;
      const { startsAt: firstRun, endsAt, recurrence } = timetableOf(values)!;
      return sms.messages.schedule({
        ...{ organizationId, to, text, timezone, startsAt: firstRun.toISOString() },
        scheduleType: recurrence === null ? 'once' : 'recurring',
        ...(from !== defaultSender && { from }),
        ...(recurrence !== null && { recurrence }),
        ...(recurrence !== null && endsAt !== null && { endsAt: endsAt.toISOString() }),
      });
    },
    onSuccess: async ({ to }) => {
      void queryClient.invalidateQueries({ queryKey: [organizationId, 'schedules'] });
      toast({ title: t('saved', { recipient: to }), description: t('savedHint') });
      await navigate({ to: '/o/$organization/schedules', params: { organization: slug } });
    },
  });
  return { form, organizationZone };
}

function useScheduleSchema() {
  const t = useText();
  return useMemo(
    () =>
      z.object({
        to: z.string().check(z.minLength(8, t('recipientLength')), z.maxLength(16, t('recipientLength'))),
        text: z.string().check(z.minLength(1, t('textMissing')), z.maxLength(1600, t('textMissing'))),
        startsAt: z.string().check(z.minLength(1, t('timeMissing'))),
        interval: z.string().check(z.regex(/^([1-9]\d{0,2}|1000)$/, t('intervalInvalid'))),
        ...{ from: z.string(), endsAt: z.string(), timezone: z.string(), unit: z.string() },
      }),
    [t],
  );
}
