import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import { Copyable } from '../../design/copyable.tsx';
import { useUser } from '../auth/session.ts';
import { serviceSettingsQuery } from './administration.ts';
import { useText } from './text.ts';

/**
 * The id of a workflow. For administrators of the service it leads to the very workflow in the Temporal Web UI, if the
 * operator has configured the address of the UI.
 */
export function WorkflowLink({ workflowId }: { workflowId: string }): ReactNode {
  const t = useText();
  const isAdministrator = useUser().role === 'admin';
  const { data: settings } = useQuery({ ...serviceSettingsQuery, enabled: isAdministrator });
  const uiUrl = settings?.temporalUiUrl ?? null;
  if (settings === undefined || uiUrl === null) return <Copyable value={workflowId} />;
  const path = ['namespaces', settings.temporalNamespace, 'workflows', workflowId].map(encodeURIComponent);
  return (
    <a
      href={`${uiUrl}/${path.join('/')}`}
      target="_blank"
      rel="noreferrer"
      className="inline-flex max-w-full items-center gap-1 text-accent hover:underline"
    >
      <span className="min-w-0 truncate font-mono text-sm">{workflowId}</span>
      <ExternalLink aria-hidden className="size-3.5 shrink-0" />
      <span className="sr-only">{t('inTemporal')}</span>
    </a>
  );
}
