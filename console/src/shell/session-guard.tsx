import { useQueryClient } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { SmsApiError } from 'sms-service-client';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';

// Loaded when it is needed: most pages are closed before the session ends.
const SessionDialog = lazy(() => import('./session-dialog.tsx'));

/** Keeps the page as it is when the session ends, forms included, and asks the reader to sign in again. */
export function SessionGuard(): ReactNode {
  const [isOver, setOver] = useIsSessionOver();
  return (
    <>
      <Outlet />
      {isOver && (
        <Suspense>
          <SessionDialog onSignedIn={() => setOver(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Whether any request of the page was answered that there is no session. */
function useIsSessionOver(): [boolean, (isOver: boolean) => void] {
  const queryClient = useQueryClient();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const check = (error: unknown): void => {
      if (error instanceof SmsApiError && error.code === 'unauthenticated') setOver(true);
    };
    const stops = [
      queryClient.getQueryCache().subscribe(({ query }) => check(query.state.error)),
      queryClient.getMutationCache().subscribe(({ mutation }) => check(mutation?.state.error)),
    ];
    return () => stops.forEach((stop) => stop());
  }, [queryClient]);
  return [isOver, setOver];
}
