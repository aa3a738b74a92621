import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Dialog } from '../design/dialog.tsx';
import { useUser } from '../features/auth/session.ts';
import { SignInForm } from '../features/auth/sign-in-form.tsx';
import { useText } from './text.ts';

/**
 * Asks for the password again, over the page. Whoever signs in as somebody else begins anew, because the page shows
 * what the first one may see.
 */
export default function SessionDialog({ onSignedIn }: { onSignedIn: () => void }): ReactNode {
  const t = useText();
  const queryClient = useQueryClient();
  const user = useUser();
  return (
    <Dialog isOpen title={t('sessionEnded')} description={t('sessionEndedHint')}>
      <SignInForm
        email={user.email}
        onSignedIn={(signedIn) => {
          if (signedIn.id !== user.id) window.location.assign('/console/');
          void queryClient.invalidateQueries();
          onSignedIn();
        }}
      />
    </Dialog>
  );
}
