import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ContactImport } from 'sms-service-client';
import { useEffect, type ReactNode } from 'react';
import { Button, ButtonLink } from '../../../design/button.tsx';
import { DownloadLink } from '../../../design/download-link.tsx';
import { Card } from '../../../design/page.tsx';
import { ErrorState, Notice } from '../../../design/states.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useListChanges } from '../../../records/use-list.ts';
import { useOrganization } from '../../organizations/organization.ts';
import { useText } from '../text.ts';
import { contactCountKey } from '../contacts.ts';
import type { StartedImport } from './columns-form.tsx';
import { importQuery } from './contact-import.ts';
import { PhonebookOfImport } from './phonebook-of-import.tsx';

/** An import while it runs, and what came of it. */
export function ImportResult({
  started,
  onAgain,
}: {
  started: StartedImport;
  onAgain: () => void;
}): ReactNode {
  const t = useText();
  const { organizationId, slug } = useOrganization();
  const { contactImport: atFirst, rowCount, numbers, target } = started;
  const query = importQuery(organizationId, atFirst.id);
  const { data, error, refetch } = useQuery({ ...query, initialData: atFirst });
  const isDone = data.status === 'completed';
  const queryClient = useQueryClient();
  const { refresh } = useListChanges([organizationId, 'contacts', 'list']);
  useEffect(() => {
    if (!isDone) return;
    void refresh();
    void queryClient.invalidateQueries({ queryKey: contactCountKey(organizationId) });
    // Only the end of the import changes the lists.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [isDone]);
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div className="flex flex-col gap-5">
      <Card title={isDone ? t('importDone') : t('importRuns')}>
        {data.status === 'processing' && <Progress done={processedOf(data)} total={rowCount} />}
        {data.failure !== null && (
          <Notice tone="danger" title={t('importFailed')}>
            {data.failure.message}
          </Notice>
        )}
        <Counts contactImport={data} />
      </Card>
      {data.errors.length > 0 && <Rejects contactImport={data} />}
      {isDone && target !== null && (
        <PhonebookOfImport importId={data.id} target={target} numbers={numbers} />
      )}
      {data.status !== 'processing' && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={onAgain}>{t('importAgain')}</Button>
          <ButtonLink to="/o/$organization/contacts" params={{ organization: slug }}>
            {t('toContacts')}
          </ButtonLink>
        </div>
      )}
    </div>
  );
}

function processedOf({ imported, updated, skipped, rejected }: ContactImport): number {
  return imported + updated + skipped + rejected;
}

function Progress({ done, total }: { done: number; total: number }): ReactNode {
  const t = useText();
  const format = useFormat();
  return (
    <div className="mb-4">
      <progress
        value={done}
        max={Math.max(total, 1)}
        aria-label={t('importRuns')}
        className="h-2 w-full accent-accent"
      />
      <p role="status" className="text-sm text-muted tabular-nums">
        {t('rowsDone', { done: format.number(done), total: format.number(total) })}
      </p>
    </div>
  );
}

function Counts({ contactImport }: { contactImport: ContactImport }): ReactNode {
  const t = useText();
  const format = useFormat();
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
      {(['imported', 'updated', 'skipped', 'rejected'] as const).map((name) => (
        <div key={name}>
          <dt className="text-sm text-muted">{t(name)}</dt>
          <dd className="text-xl font-semibold tabular-nums">{format.number(contactImport[name])}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Why rows were rejected, and the rows as a file that can be corrected and imported again. */
function Rejects({ contactImport }: { contactImport: ContactImport }): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const { id, rejected, errors } = contactImport;
  return (
    <Card
      title={t('rejectedRows')}
      className=""
      aside={
        rejected > 0 && (
          <DownloadLink href={`/api/v1/contacts/imports/${id}/rejects?organizationId=${organizationId}`}>
            <Download aria-hidden className="size-4" />
            {t('downloadRejects')}
          </DownloadLink>
        )
      }
    >
      <ul
        className="max-h-80 divide-y divide-line overflow-y-auto"
        tabIndex={0}
        aria-label={t('rejectedRows')}
      >
        {errors.map(({ line, column, message }) => (
          <li key={`${line} ${column}`} className="flex gap-4 px-4 py-2 text-sm">
            <span className="w-20 shrink-0 text-muted tabular-nums">{t('line', { line })}</span>
            <span className="min-w-0 [overflow-wrap:anywhere]">
              {column !== null && <span className="font-medium">{column} </span>}
              {message}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
