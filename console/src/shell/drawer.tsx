import { Dialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../design/button.tsx';
import { useText } from './text.ts';

interface DrawerProps {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The navigation of a phone, which comes in from the side. */
export default function Drawer({ isOpen, onClose, children }: DrawerProps): ReactNode {
  const t = useText();
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-20 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed inset-y-0 left-0 z-20 flex w-72 max-w-[85vw] flex-col bg-sunken shadow-floating transition-transform data-ending-style:-translate-x-full data-starting-style:-translate-x-full">
          <Dialog.Title className="sr-only">{t('navigation')}</Dialog.Title>
          <Dialog.Close
            render={
              <IconButton label={t('closeNavigation')} className="absolute top-2 -right-12 bg-raised">
                <X aria-hidden />
              </IconButton>
            }
          />
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
