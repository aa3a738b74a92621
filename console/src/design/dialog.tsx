import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { classes } from './classes.ts';
import { useText } from './text.ts';

interface DialogProps {
  isOpen: boolean;
  /** Called when the reader closes the dialog. A dialog without it can only be answered. */
  onClose?: (() => void) | undefined;
  title: string;
  description?: ReactNode;
  /** `wide` for records; questions and short forms are narrow. */
  width?: 'narrow' | 'wide';
  children: ReactNode;
}

/** A dialog over the page, which stays as it is. On a phone it is at the lower edge. */
export function Dialog(props: DialogProps): ReactNode {
  const { isOpen, onClose, title, description, width = 'narrow', children } = props;
  const t = useText();
  return (
    <BaseDialog.Root
      open={isOpen}
      onOpenChange={(open) => !open && onClose?.()}
      disablePointerDismissal={onClose === undefined}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-20 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Viewport className="fixed inset-0 z-20 flex items-center justify-center overflow-y-auto p-4 max-sm:items-end max-sm:p-2">
          <BaseDialog.Popup
            className={classes(
              'relative my-auto w-full rounded-lg bg-raised p-5 shadow-floating transition max-sm:mb-0',
              'data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0',
              width === 'wide' ? 'max-w-2xl' : 'max-w-md',
            )}
          >
            <BaseDialog.Title className="pr-8 text-lg font-semibold">{title}</BaseDialog.Title>
            {description !== undefined && (
              <BaseDialog.Description className="mt-1 text-base text-muted">
                {description}
              </BaseDialog.Description>
            )}
            <div className="mt-4">{children}</div>
            {onClose !== undefined && (
              <BaseDialog.Close
                render={
                  <IconButton label={t('close')} className="absolute top-3 right-3">
                    <X aria-hidden />
                  </IconButton>
                }
              />
            )}
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

/** The buttons at the end of a dialog or form: the main one last, on a phone first and wide. */
export function Actions({ children }: { children: ReactNode }): ReactNode {
  return (
    <div className="mt-5 flex justify-end gap-2 max-sm:flex-col-reverse max-sm:[&>*]:w-full">{children}</div>
  );
}
