import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { Button } from '../../design/button.tsx';
import { TextAreaField, TextField } from '../../design/form-fields.tsx';
import { Card } from '../../design/page.tsx';
import { SelectField } from '../../design/select-field.tsx';
import { FormFailure } from '../../form.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { senderIdsQuery } from '../sender-ids/sender-ids.ts';
import { readersTimezone } from './local-time.ts';
import { NextRuns } from './next-runs.tsx';
import { recurrenceUnits } from './occurrences.ts';
import { defaultSender, neverRepeats, timetableOf, useScheduleForm } from './schedule-values.ts';
import { listOccurrences } from './occurrences.ts';
import { useText } from './text.ts';

const shownRuns = 5;

/** What to send, when, and how often, with the next runs as one edits. */
export function ScheduleForm(): ReactNode {
  const t = useText();
  const { form, organizationZone } = useScheduleForm();
  const { control } = form;
  const values = useWatch({ control });
  const senders = useSenderOptions();
  const zones = [...new Set([organizationZone, readersTimezone(), 'UTC'])];
  const timetable = timetableOf(values);
  const runs = useMemo(
    () =>
      timetable === null
        ? []
        : listOccurrences(timetable, new Date(timetable.startsAt.getTime() - 1), shownRuns),
    [timetable],
  );
  return (
    <form
      onSubmit={form.onSubmit}
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]"
    >
      <Card className="flex flex-col gap-4 p-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField control={control} name="to" label={t('recipient')} type="tel" autoComplete="off" />
          <SelectField control={control} name="from" label={t('sender')} options={senders} />
        </div>
        <TextAreaField control={control} name="text" label={t('text')} rows={4} />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField control={control} name="startsAt" label={t('firstRun')} type="datetime-local" />
          <SelectField
            control={control}
            name="timezone"
            label={t('timezone')}
            options={zones.map((value) => ({ value, label: value }))}
          />
          <SelectField
            control={control}
            name="unit"
            label={t('repeats')}
            options={[
              { value: neverRepeats, label: t('once') },
              ...recurrenceUnits.map((value) => ({ value, label: t(`unit_${value}`) })),
            ]}
          />
          {values.unit !== neverRepeats && (
            <>
              <TextField control={control} name="interval" label={t('interval')} inputMode="numeric" />
              <TextField
                control={control}
                name="endsAt"
                label={t('endsAt')}
                type="datetime-local"
                hint={t('endsHint')}
              />
            </>
          )}
        </div>
        <FormFailure error={form.failure} />
        <div className="flex justify-end">
          <Button type="submit" variant="primary" isPending={form.isPending}>
            {t('save')}
          </Button>
        </div>
      </Card>
      <Card title={t('nextRuns')}>
        <NextRuns runs={runs} timezone={values.timezone ?? organizationZone} />
      </Card>
    </form>
  );
}

function useSenderOptions() {
  const t = useText();
  const { organizationId } = useOrganization();
  const { data } = useQuery(senderIdsQuery(organizationId));
  const approved = data?.data.filter(({ status }) => status === 'approved') ?? [];
  return [
    { value: defaultSender, label: t('defaultSender') },
    ...approved.map(({ value }) => ({ value, label: value })),
  ];
}
