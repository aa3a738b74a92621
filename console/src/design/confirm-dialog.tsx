import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Actions, Dialog } from './dialog.tsx';
import { useText } from './text.ts';

interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The question, which names the thing or the number of things. */
  title: string;
  /** What will happen, and whether it can be undone. */
  description: string;
  /** The label of the button that does it. */
  action: string;
  variant?: 'danger' | 'primary';
  isPending: boolean;
  onConfirm: () => void;
  children?: ReactNode;
}

/** Asks before an action that cannot be undone, or that concerns many things. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { isOpen, onClose, title, description, action, variant = 'danger', isPending, onConfirm } = props;
  const t = useText();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} description={description}>
      {props.children}
      <Actions>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button variant={variant} isPending={isPending} onClick={onConfirm}>
          {action}
        </Button>
      </Actions>
    </Dialog>
  );
}
