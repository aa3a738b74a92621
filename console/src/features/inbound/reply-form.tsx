import { useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useMemo, useRef, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { TextAreaField } from '../../design/form-fields.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { randomKey } from '../../random-key.ts';
import { useOrganization } from '../organizations/organization.ts';
import { useText } from './text.ts';

/** Writes back to the phone, from the number that it texted. */
export function ReplyForm({ phone, number }: { phone: string; number: string }): ReactNode {
  const t = useText();
  const form = useReplyForm(phone, number);
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-3 border-t border-line p-4">
      <TextAreaField
        control={form.control}
        name="text"
        label={t('replyTo', { phone })}
        hint={t('replyHint', { number })}
        rows={3}
      />
      <FormFailure error={form.failure} />
      <div className="flex justify-end">
        <Button
          type="submit"
          variant="primary"
          isPending={form.isPending}
          icon={<Send aria-hidden className="size-4" />}
        >
          {t('sendReply')}
        </Button>
      </div>
    </form>
  );
}

function useReplyForm(phone: string, number: string) {
  const t = useText();
  const queryClient = useQueryClient();
  const { organizationId } = useOrganization();
  const attempt = useRef({ text: '', key: '' });
  const schema = useMemo(
    () =>
      z.object({
        text: z.string().check(z.minLength(1, t('replyMissing')), z.maxLength(1600, t('replyTooLong'))),
      }),
    [t],
  );
  const form = useApiForm({
    schema,
    defaultValues: { text: '' },
    submit: ({ text }) => {
      // The same reply, submitted again after a failure, keeps its key, so that it is not sent twice.
      if (attempt.current.text !== text) attempt.current = { text, key: randomKey() };
      const { key: idempotencyKey } = attempt.current;
      return sms.messages.send({ organizationId, to: phone, from: number, text }, { idempotencyKey });
    },
    onSuccess: async () => {
      attempt.current = { text: '', key: '' };
      form.reset();
      await queryClient.invalidateQueries({ queryKey: [organizationId, 'inbound', 'thread'] });
    },
  });
  return form;
}
