import { Check, Clock } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Button, ButtonLink } from '../../design/button.tsx';
import { classes } from '../../design/classes.ts';
import { Card } from '../../design/page.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { useText } from './text.ts';
import type { Step, StepName } from './use-steps.ts';

// Loaded when they are opened.
const dialogs = {
  sender: lazy(async () => ({
    default: (await import('../sender-ids/request-sender-dialog.tsx')).RequestSenderDialog,
  })),
  key: lazy(async () => ({ default: (await import('../api-keys/create-key-dialog.tsx')).CreateKeyDialog })),
  webhook: lazy(async () => ({ default: (await import('./webhook-dialog.tsx')).WebhookDialog })),
};

/** The first steps, from nothing to a delivered message and a webhook. */
export function Checklist({ steps }: { steps: Step[] }): ReactNode {
  const t = useText();
  const [open, setOpen] = useState<keyof typeof dialogs>();
  const Dialog = open === undefined ? undefined : dialogs[open];
  const close = (): void => setOpen(undefined);
  const done = steps.filter(({ state }) => state === 'done').length;
  return (
    <Card
      title={t('firstSteps')}
      className=""
      aside={<span className="text-sm text-muted">{t('progress', { done, all: steps.length })}</span>}
    >
      <ol className="divide-y divide-line">
        {steps.map((step, index) => (
          <StepRow key={step.name} step={step} number={index + 1} onStart={setOpen} />
        ))}
      </ol>
      {Dialog !== undefined && (
        <Suspense>
          <Dialog isOpen onClose={close} />
        </Suspense>
      )}
    </Card>
  );
}

const markLooks = {
  open: 'border border-line-strong text-muted',
  waiting: 'bg-warning-soft text-warning',
  done: 'bg-success-soft text-success',
};

function StepRow({
  step,
  number,
  onStart,
}: {
  step: Step;
  number: number;
  onStart: (name: keyof typeof dialogs) => void;
}): ReactNode {
  const t = useText();
  const { name, state } = step;
  return (
    <li className="flex items-start gap-3 px-4 py-3.5 max-sm:flex-wrap">
      <span
        className={classes(
          'mt-0.5 flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-medium',
          markLooks[state],
        )}
      >
        {state === 'done' && <Check role="img" aria-label={t('done')} className="size-3.5" />}
        {state === 'waiting' && <Clock role="img" aria-label={t('waiting')} className="size-3.5" />}
        {state === 'open' && number}
      </span>
      <div className="min-w-0 flex-1">
        <h3 className={classes('font-medium', state === 'done' && 'text-muted')}>{t(`${name}Title`)}</h3>
        {state !== 'done' && (
          <p className="text-sm text-muted">{t(state === 'waiting' ? waitingTexts[name] : `${name}Hint`)}</p>
        )}
      </div>
      {state === 'open' && <StepAction name={name} onStart={onStart} />}
    </li>
  );
}

const waitingTexts = {
  sender: 'senderWaiting',
  key: 'keyHint',
  message: 'messageWaiting',
  webhook: 'webhookHint',
} as const;

function StepAction({
  name,
  onStart,
}: {
  name: StepName;
  onStart: (name: keyof typeof dialogs) => void;
}): ReactNode {
  const t = useText();
  const { slug } = useOrganization();
  if (name === 'message') {
    return (
      <ButtonLink size="small" to="/o/$organization/messages/send" params={{ organization: slug }}>
        {t('messageAction')}
      </ButtonLink>
    );
  }
  return (
    <Button size="small" onClick={() => onStart(name)}>
      {t(`${name}Action`)}
    </Button>
  );
}
