import type { ApiKey } from 'sms-service-client';
import { useState, type ReactNode } from 'react';
import { Badge } from '../../design/badge.tsx';
import { useText } from './text.ts';

/** Whether a key can be used, as a badge. */
export function KeyState({ apiKey: { revokedAt, expiresAt, environment } }: { apiKey: ApiKey }): ReactNode {
  const t = useText();
  const [now] = useState(() => new Date());
  if (revokedAt !== null) return <Badge tone="danger">{t('revoked')}</Badge>;
  if (expiresAt !== null && new Date(expiresAt) <= now) return <Badge tone="warning">{t('expired')}</Badge>;
  return <Badge tone={environment === 'live' ? 'success' : 'accent'}>{t(environment)}</Badge>;
}
