import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAction } from '../action.ts';
import { Button } from '../design/button.tsx';
import { Actions, Dialog } from '../design/dialog.tsx';
import { useText } from './text.ts';
import { FormFailure } from '../form.tsx';

export interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The question, which names the thing or the number of things. */
  title: string;
  /** What will be lost, and what stays. */
  description: ReactNode;
  /** The label of the button that does it. */
  confirm: string;
  /** The label of the button that leaves everything as it is, where “Cancel” would be ambiguous. */
  cancel?: string;
  run: () => Promise<unknown>;
  /** What the reader is told when it is done. */
  done: string;
  /** The beginnings of the keys of the queries whose answers it changes. */
  changes?: QueryKey[];
  onDone?: () => void;
}

/** Asks before an action that cannot be undone. It stays open, with the reason, when the action fails. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { isOpen, onClose, title, description, confirm, cancel, run, done, changes = [], onDone } = props;
  const t = useText();
  const action = useAction<void, unknown>({
    run,
    done: () => ({ title: done }),
    changes,
    showsFailure: true,
    onDone: () => {
      onDone?.();
      onClose();
    },
  });
  const close = (): void => {
    action.reset();
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={title} description={description}>
      <FormFailure error={action.error} />
      <Actions>
        <Button onClick={close}>{cancel ?? t('cancel')}</Button>
        <Button variant="danger" isPending={action.isPending} onClick={() => action.mutate()}>
          {confirm}
        </Button>
      </Actions>
    </Dialog>
  );
}
