import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './design/button.tsx';
import { Actions, Dialog } from './design/dialog.tsx';
import { FormFailure } from './form.tsx';

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** Names the thing, as a question. */
  title: string;
  /** What will be lost, and what stays. */
  description: ReactNode;
  /** The names of the two buttons. */
  confirm: string;
  cancel: string;
  action: () => Promise<unknown>;
  onDone: () => unknown;
}

/** Asks before an action that cannot be undone. It stays open, with the reason, when the action fails. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { isOpen, onClose, title, description, confirm, cancel, action, onDone } = props;
  const mutation = useMutation({
    mutationFn: action,
    onSuccess: async () => {
      await onDone();
      onClose();
    },
  });
  const close = (): void => {
    mutation.reset();
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title} description={description}>
      <FormFailure error={mutation.error} />
      <Actions>
        <Button onClick={close}>{cancel}</Button>
        <Button variant="danger" isPending={mutation.isPending} onClick={() => mutation.mutate()}>
          {confirm}
        </Button>
      </Actions>
    </Dialog>
  );
}
