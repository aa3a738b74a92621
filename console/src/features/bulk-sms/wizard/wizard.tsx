import type { Campaign, Phonebook } from 'sms-service-client';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import { useWatch } from 'react-hook-form';
import { Button } from '../../../design/button.tsx';
import { classes } from '../../../design/classes.ts';
import { Actions } from '../../../design/dialog.tsx';
import { Card } from '../../../design/page.tsx';
import { FormFailure } from '../../../form.tsx';
import type { BatchPrefill } from '../routes.tsx';
import { useText } from '../text.ts';
import { AudienceStep } from './audience-step.tsx';
import { hasOnlyKnownFields, newCampaign, type BatchValues } from './batch-values.ts';
import { Estimate } from './estimate.tsx';
import { SenderMissing } from './sender-missing.tsx';
import { TextStep } from './text-step.tsx';
import { TimeStep } from './time-step.tsx';
import { useBatchForm } from './use-batch-form.ts';
import { useSenderOf } from './use-sender-of.ts';

const steps = ['audience', 'message', 'time'] as const;

/** The fields that must be right before the next step. */
const fieldsOf: Record<(typeof steps)[number], (keyof BatchValues)[]> = {
  audience: ['contactListId', 'campaignId', 'campaignName'],
  message: ['text'],
  time: ['when', 'scheduledAt'],
};

interface WizardProps {
  prefill: BatchPrefill;
  phonebooks: Phonebook[];
  /** Those that are active. */
  campaigns: Campaign[];
}

export function Wizard({ prefill, phonebooks, campaigns }: WizardProps): ReactNode {
  const t = useText();
  const [position, setPosition] = useState(0);
  const step = steps[position]!;
  const fields = useFocusOnNewStep(step);
  const isLast = position === steps.length - 1;
  const chosenCampaign = campaigns.find(({ id }) => id === prefill.campaignId) ?? campaigns[0];
  const chosenPhonebook = phonebooks.find(({ id }) => id === prefill.phonebookId) ?? phonebooks[0];
  const form = useBatchForm(
    {
      contactListId: chosenPhonebook?.id ?? '',
      campaignId: chosenCampaign?.id ?? newCampaign,
      campaignName: chosenPhonebook?.name ?? '',
      text: prefill.text ?? '',
      when: 'now',
      scheduledAt: '',
    },
    (refused) =>
      setPosition(steps.findIndex((each) => fieldsOf[each].some((field) => refused.includes(field)))),
  );
  const { text = '', contactListId = '', campaignId, when } = useWatch({ control: form.control });
  const sender = useSenderOf(campaigns.find(({ id }) => id === campaignId));
  const goOn = async (): Promise<void> => {
    if (await form.trigger(fieldsOf[step], { shouldFocus: true })) setPosition(position + 1);
  };
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        if (isLast) return form.onSubmit(event);
        event.preventDefault();
        void goOn();
      }}
    >
      <Steps position={position} />
      {sender === null && <SenderMissing />}
      <div ref={fields} tabIndex={-1} className="outline-none">
        {step === 'audience' && <AudienceStep {...{ form, phonebooks, campaigns }} />}
        {step === 'message' && <TextStep {...{ form }} />}
        {step === 'time' && <TimeStep {...{ form, phonebooks, sender }} />}
      </div>
      {text !== '' && hasOnlyKnownFields(text) && contactListId !== '' && position > 0 && (
        <Card title={t('estimate')}>
          <Estimate contactListId={contactListId} text={text} />
        </Card>
      )}
      <FormFailure error={form.failure} />
      {phonebooks.length > 0 && (
        <Actions>
          {position > 0 && <Button onClick={() => setPosition(position - 1)}>{t('back')}</Button>}
          <Button key={step} type="submit" variant="primary" isPending={form.isPending}>
            {isLast ? t(when === 'later' ? 'schedule' : 'sendNow') : t('next')}
          </Button>
        </Actions>
      )}
    </form>
  );
}

/** The keyboard goes on at the fields of the step that was reached. */
function useFocusOnNewStep(step: string): RefObject<HTMLDivElement | null> {
  const fields = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    fields.current?.focus();
  }, [step]);
  return fields;
}

/** Where the reader is among the steps. */
function Steps({ position }: { position: number }): ReactNode {
  const t = useText();
  return (
    <ol className="flex flex-wrap gap-2">
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === position ? 'step' : undefined}
          className={classes(
            'flex items-center gap-2 rounded-full border px-3 py-1 text-sm',
            index === position
              ? 'border-accent bg-accent-soft font-medium text-accent'
              : 'border-line text-muted',
          )}
        >
          <span className="tabular-nums">{index + 1}</span>
          {t(`step_${step}`)}
        </li>
      ))}
    </ol>
  );
}
