import { SmsApiError, SmsConnectionError } from 'sms-service-client';
import { useCallback } from 'react';
import { useText } from './i18n/error-text.ts';

export interface DescribedError {
  title: string;
  /** What happened and what to do. */
  detail: string;
  /** Identifies the request in the operator's log. */
  requestId: string | null;
}

/** What a browser or device says when it makes or uses no passkey (WebAuthn, level 3). */
const deviceErrors: Record<string, 'noPasskey' | 'knownPasskey'> = {
  NotAllowedError: 'noPasskey',
  InvalidStateError: 'knownPasskey',
};

/**
 * Returns what turns any error into texts for the reader. Errors that people meet often are said in their language.
 * The API explains all others itself, in English.
 */
export function useDescribeError(): (error: unknown) => DescribedError {
  const t = useText();
  return useCallback(
    (error) => {
      if (error instanceof SmsConnectionError) {
        return { title: t('offlineTitle'), detail: t('offlineDetail'), requestId: null };
      }
      const ofDevice = error instanceof Error ? deviceErrors[error.name] : undefined;
      if (ofDevice !== undefined) {
        return { title: t(`${ofDevice}Title`), detail: t(`${ofDevice}Detail`), requestId: null };
      }
      if (!(error instanceof SmsApiError)) {
        return { title: t('unexpectedTitle'), detail: t('unexpectedDetail'), requestId: null };
      }
      const { code, detail, requestId, retryAfterSeconds: seconds } = error;
      const described = (title: string, text: string = detail): DescribedError => ({
        title,
        detail: text,
        requestId,
      });
      switch (code) {
        case 'rate_limited':
          return described(t('rateLimitedTitle'), t('rateLimitedDetail', { seconds: seconds ?? 60 }));
        case 'invalid_email_or_password':
          return described(t('wrongPasswordTitle'), t('wrongPasswordDetail'));
        case 'two_factor_required':
          return described(t('codeRequiredTitle'), t('codeRequiredDetail'));
        case 'invalid_two_factor_code':
          return described(t('wrongCodeTitle'), t('wrongCodeDetail'));
        case 'invalid_passkey':
          return described(t('wrongPasskeyTitle'), t('wrongPasskeyDetail'));
        case 'session_not_fresh':
          return described(t('oldSessionTitle'), t('oldSessionDetail'));
        case 'invalid_password':
          return described(t('invalidPasswordTitle'), t('invalidPasswordDetail'));
        case 'permission_denied':
          return described(t('forbiddenTitle'), t('forbiddenDetail'));
        case 'not_found':
          return described(t('notFoundTitle'), t('notFoundDetail'));
        case 'unauthenticated':
          return described(t('signedOutTitle'), t('signedOutDetail'));
        case 'invalid_request':
          return described(t('invalidTitle'));
        default:
          return described(error.status >= 500 ? t('serverTitle') : t('refusedTitle'));
      }
    },
    [t],
  );
}
