import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useMemo, useRef, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { TextAreaField, TextField } from '../../design/form-fields.tsx';
import { SelectField } from '../../design/select-field.tsx';
import { Card } from '../../design/page.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { senderIdsQuery } from '../sender-ids/sender-ids.ts';
import { randomKey } from '../../random-key.ts';
import { PhonePreview } from './phone-preview.tsx';
import { RecipientCheck } from './recipient-check.tsx';
import type { SendPrefill } from './routes.tsx';
import { SendCommand } from './send-command.tsx';
import { SegmentMeter } from './segment-meter.tsx';
import { segmentMessage } from './segments.ts';
import { defaultSender, toMessageInput } from './send-values.ts';
import { useText } from './text.ts';

export function SendForm({ prefill }: { prefill: SendPrefill }): ReactNode {
  const t = useText();
  const form = useSendForm(prefill);
  const { control, setValue } = form;
  const values = useWatch({ control });
  const text = values.text ?? '';
  const senders = useSenders();
  const environments = [
    { value: 'live', label: t('live') },
    { value: 'test', label: t('test') },
  ];
  const parts = segmentMessage(text).parts.map((part) => part.text);
  const shownSender = values.from === defaultSender ? senders.defaultSender : (values.from ?? '');
  return (
    <form
      onSubmit={form.onSubmit}
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]"
    >
      <Card className="flex flex-col gap-4 p-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            control={control}
            name="to"
            label={t('recipient')}
            type="tel"
            autoComplete="off"
            placeholder={t('recipientExample')}
            hint={<RecipientCheck values={values} />}
          />
          <SelectField control={control} name="from" label={t('sender')} options={senders.options} />
        </div>
        <TextAreaField control={control} name="text" label={t('text')} rows={6} />
        <SegmentMeter
          text={text}
          onReplace={(replaced) => setValue('text', replaced, { shouldDirty: true })}
        />
        <SelectField
          control={control}
          name="environment"
          label={t('environment')}
          hint={t(values.environment === 'test' ? 'testHint' : 'liveHint')}
          options={environments}
        />
        <FormFailure error={form.failure} />
        <div className="flex justify-end">
          <Button
            type="submit"
            variant="primary"
            isPending={form.isPending}
            icon={<Send aria-hidden className="size-4" />}
          >
            {t('sendNow')}
          </Button>
        </div>
      </Card>
      <div className="flex min-w-0 flex-col gap-5">
        <Card title={t('preview')}>
          {text === '' ? (
            <p className="text-muted">{t('previewHint')}</p>
          ) : (
            <PhonePreview sender={shownSender} parts={parts} />
          )}
        </Card>
        <SendCommand values={values} />
      </div>
    </form>
  );
}

function useSendForm(prefill: SendPrefill) {
  const t = useText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { organizationId, slug } = useOrganization();
  const schema = useMemo(
    () =>
      z.object({
        to: z.string().check(z.minLength(8, t('recipientLength')), z.maxLength(16, t('recipientLength'))),
        text: z.string().check(z.minLength(1, t('textMissing')), z.maxLength(1600, t('textTooLong'))),
        from: z.string(),
        environment: z.enum(['live', 'test']),
      }),
    [t],
  );
  const attempt = useRef({ body: '', key: '' });
  return useApiForm({
    schema,
    defaultValues: {
      to: prefill.to ?? '',
      text: prefill.text ?? '',
      from: prefill.from ?? defaultSender,
      environment: 'live',
    },
    submit: (values) => {
      // The same message, submitted again after a failure, keeps its key, so that it is not sent twice.
      const body = JSON.stringify(values);
      if (attempt.current.body !== body) attempt.current = { body, key: randomKey() };
      const idempotencyKey = attempt.current.key;
      return sms.messages.send(toMessageInput(values, organizationId), { idempotencyKey });
    },
    onSuccess: async ({ id }) => {
      void queryClient.invalidateQueries({ queryKey: [organizationId, 'messages'] });
      await navigate({
        to: '/o/$organization/messages/$messageId',
        params: { organization: slug, messageId: id },
      });
    },
  });
}

function useSenders() {
  const t = useText();
  const { organizationId } = useOrganization();
  const { data } = useQuery(senderIdsQuery(organizationId));
  const approved = data?.data.filter(({ status }) => status === 'approved') ?? [];
  const byDefault = approved.find(({ isDefault }) => isDefault)?.value;
  return {
    defaultSender: byDefault ?? t('defaultSender'),
    options: [
      {
        value: defaultSender,
        label: byDefault === undefined ? t('defaultSender') : t('defaultSenderIs', { sender: byDefault }),
      },
      ...approved.map(({ value }) => ({ value, label: value })),
    ],
  };
}
