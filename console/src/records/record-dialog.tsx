import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';
import { Button } from '../design/button.tsx';
import { Actions, Dialog } from '../design/dialog.tsx';
import { useText } from './text.ts';
import { FormFailure } from '../form.tsx';

interface RecordDialogProps {
  title: string;
  description?: ReactNode;
  onClose: () => void;
  onSubmit: (event: React.FormEvent) => void;
  isPending: boolean;
  /** Why the API refused the form. */
  failure: unknown;
  /** The label of the button that submits; “Save” without it. */
  save?: string;
  /** The question before the record is deleted; absent where nothing can be deleted. */
  deletion?: Omit<ConfirmDialogProps, 'isOpen' | 'onClose' | 'confirm'> | undefined;
  /** The fields. */
  children: ReactNode;
}

/** A dialog with the form of one record, which creates, changes or deletes it. */
export function RecordDialog(props: RecordDialogProps): ReactNode {
  const { title, description, onClose, onSubmit, isPending, failure, save, deletion, children } = props;
  const t = useText();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Dialog isOpen onClose={onClose} title={title} description={description}>
      <form onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
        {children}
        <FormFailure error={failure} />
        <Actions>
          {deletion !== undefined && (
            <Button
              className="mr-auto max-sm:mr-0"
              icon={<Trash2 aria-hidden className="size-4" />}
              onClick={() => setDeleting(true)}
            >
              {t('delete')}
            </Button>
          )}
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="primary" isPending={isPending}>
            {save ?? t('save')}
          </Button>
        </Actions>
      </form>
      {deletion !== undefined && (
        <ConfirmDialog
          {...deletion}
          isOpen={isDeleting}
          onClose={() => setDeleting(false)}
          confirm={t('delete')}
          onDone={() => {
            deletion.onDone?.();
            onClose();
          }}
        />
      )}
    </Dialog>
  );
}
