import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, type ReactNode } from 'react';
import { ButtonLink } from '../../design/button.tsx';
import { Notice } from '../../design/states.tsx';
import { AuthPage } from './auth-page.tsx';
import { sessionQuery } from './session.ts';
import { useText } from './text.ts';

const route = getRouteApi('/confirm-address');

export function ConfirmAddressPage(): ReactNode {
  const t = useText();
  const queryClient = useQueryClient();
  const { error } = route.useSearch();
  useEffect(() => {
    // The user of the session has become a confirmed one.
    void queryClient.invalidateQueries(sessionQuery);
  }, [queryClient]);
  return (
    <AuthPage title={t(error === undefined ? 'confirmedTitle' : 'notConfirmedTitle')}>
      <div className="flex flex-col gap-4">
        {error === undefined ? (
          <Notice tone="info">{t('confirmedHint')}</Notice>
        ) : (
          <Notice tone="danger" title={t('linkInvalid')}>
            {t('notConfirmedHint')}
          </Notice>
        )}
        <ButtonLink to="/" variant="primary">
          {t('continue')}
        </ButtonLink>
      </div>
    </AuthPage>
  );
}
