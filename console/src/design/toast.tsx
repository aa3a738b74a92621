import { Toast as BaseToast } from '@base-ui/react/toast';
import { Bell, CircleCheck, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { useText } from './text.ts';

interface Notice {
  title: string;
  description?: string;
  /** `news` is what has happened elsewhere. */
  kind?: 'success' | 'failure' | 'news';
}

/** Returns what tells the reader that an action has succeeded or failed, without moving the focus. */
export function useToast(): (notice: Notice) => void {
  const manager = BaseToast.useToastManager();
  return ({ title, description, kind = 'success' }) => {
    const isFailure = kind === 'failure';
    // A failure stays until it is read and closed.
    manager.add({
      title,
      description,
      type: kind,
      priority: isFailure ? 'high' : 'low',
      timeout: isFailure ? 0 : 5000,
    });
  };
}

/** Shows the notices of the pages within it. */
export function ToastArea({ children }: { children: ReactNode }): ReactNode {
  const t = useText();
  return (
    <BaseToast.Provider>
      {children}
      <BaseToast.Portal>
        <BaseToast.Viewport
          aria-label={t('notices')}
          className="fixed right-4 bottom-4 z-40 flex w-[calc(100vw-2rem)] max-w-sm flex-col gap-2"
        >
          <Toasts />
        </BaseToast.Viewport>
      </BaseToast.Portal>
    </BaseToast.Provider>
  );
}

function Toasts(): ReactNode {
  const t = useText();
  const { toasts } = BaseToast.useToastManager();
  return toasts.map((toast) => (
    <BaseToast.Root
      key={toast.id}
      toast={toast}
      className="rounded-lg bg-raised shadow-floating transition data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0"
    >
      <BaseToast.Content className="flex items-start gap-3 p-3">
        {toast.type === 'failure' ? (
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
        ) : toast.type === 'news' ? (
          <Bell aria-hidden className="mt-0.5 size-4 shrink-0 text-info" />
        ) : (
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
        )}
        <div className="min-w-0 flex-1">
          <BaseToast.Title className="font-medium" />
          <BaseToast.Description className="text-sm text-muted" />
        </div>
        <BaseToast.Close
          render={
            <IconButton label={t('close')} className="-my-1.5 -mr-1.5">
              <X aria-hidden />
            </IconButton>
          }
        />
      </BaseToast.Content>
    </BaseToast.Root>
  ));
}
