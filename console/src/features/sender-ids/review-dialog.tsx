import { useMemo, useState, type ReactNode } from 'react';
import type { ReviewedSenderId, SenderIdReview } from 'sms-service-client';
import * as z from 'zod/mini';
import { useAction } from '../../action.ts';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { TextAreaField } from '../../design/form-fields.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { useToast } from '../../design/toast.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { SenderFacts } from './sender-facts.tsx';
import { useText } from './text.ts';

interface ReviewProps {
  sender: ReviewedSenderId;
  onClose: () => void;
}

const queueKey = ['administration', 'sender-ids'];

/** One request with all that a reviewer must know, its approval and its rejection. */
export function ReviewDialog(props: {
  sender: ReviewedSenderId | undefined;
  onClose: () => void;
}): ReactNode {
  const { sender, onClose } = props;
  const [isRejecting, setRejecting] = useState(false);
  const t = useText();
  const close = (): void => {
    setRejecting(false);
    onClose();
  };
  return (
    <Dialog isOpen={sender !== undefined} onClose={close} width="wide" title={sender?.value ?? ''}>
      {sender !== undefined && (
        <div className="flex flex-col gap-5">
          <SenderFacts
            sender={sender}
            before={[
              { name: t('organization'), value: sender.organizationName },
              { name: t('requestedBy'), value: requesterOf(sender) ?? t('unknownRequester') },
            ]}
          />
          {sender.status === 'pending' &&
            (isRejecting ? (
              <RejectForm sender={sender} onClose={close} onBack={() => setRejecting(false)} />
            ) : (
              <Approval sender={sender} onClose={close} onReject={() => setRejecting(true)} />
            ))}
        </div>
      )}
    </Dialog>
  );
}

function requesterOf({ requestedBy }: ReviewedSenderId): string | null {
  if (requestedBy === null) return null;
  const { name, email } = requestedBy;
  return email === null ? name : `${name ?? ''} <${email}>`;
}

function Approval({ sender, onClose, onReject }: ReviewProps & { onReject: () => void }): ReactNode {
  const t = useText();
  const { id, value, organizationName } = sender;
  const approve = useAction({
    run: (review: SenderIdReview) => sms.admin.reviewSenderId(id, review),
    done: () => ({
      title: t('approvedNow', { value }),
      description: t('reviewedHint', { organizationName }),
    }),
    changes: [queueKey],
    onDone: onClose,
  });
  return (
    <Actions>
      <Button onClick={onReject}>{t('reject')}</Button>
      <Button
        isPending={approve.isPending}
        onClick={() => approve.mutate({ action: 'approve', isDefault: true })}
      >
        {t('approveAsDefault')}
      </Button>
      <Button
        variant="primary"
        isPending={approve.isPending}
        onClick={() => approve.mutate({ action: 'approve' })}
      >
        {t('approve')}
      </Button>
    </Actions>
  );
}

function RejectForm({ sender, onClose, onBack }: ReviewProps & { onBack: () => void }): ReactNode {
  const t = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { id, value, organizationName } = sender;
  const schema = useMemo(
    () =>
      z.object({
        reason: z.string().check(z.minLength(1, t('reasonMissing')), z.maxLength(1000, t('reasonMissing'))),
      }),
    [t],
  );
  const form = useApiForm({
    schema,
    defaultValues: { reason: '' },
    submit: ({ reason }) => sms.admin.reviewSenderId(id, { action: 'reject', reason }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: queueKey });
      toast({ title: t('rejectedNow', { value }), description: t('reviewedHint', { organizationName }) });
      onClose();
    },
  });
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <TextAreaField
        control={form.control}
        name="reason"
        label={t('reason')}
        hint={t('reasonHint')}
        rows={2}
      />
      <FormFailure error={form.failure} />
      <Actions>
        <Button onClick={onBack}>{t('back')}</Button>
        <Button type="submit" variant="danger" isPending={form.isPending}>
          {t('rejectIt')}
        </Button>
      </Actions>
    </form>
  );
}
