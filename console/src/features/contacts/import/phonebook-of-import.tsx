import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../../design/button.tsx';
import { Card } from '../../../design/page.tsx';
import { ErrorState, Skeleton } from '../../../design/states.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useOrganization } from '../../organizations/organization.ts';
import { useText } from '../text.ts';
import { fillPhonebook, type ImportTarget } from './contact-import.ts';

interface PhonebookOfImportProps {
  importId: string;
  target: ImportTarget;
  numbers: ReadonlySet<string>;
}

/** Puts the contacts of a completed import into a phonebook, once, and leads to the batch for them. */
export function PhonebookOfImport({ importId, target, numbers }: PhonebookOfImportProps): ReactNode {
  const t = useText();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { organizationId, slug } = useOrganization();
  const { data, error, refetch } = useQuery({
    queryKey: [organizationId, 'contacts', 'import', importId, 'phonebook'],
    queryFn: async () => {
      const filled = await fillPhonebook(organizationId, target, numbers);
      // The next page chooses among the phonebooks that are known, so they are read again before it is offered.
      const queryKey = [organizationId, 'phonebooks'];
      await queryClient.invalidateQueries({ queryKey, refetchType: 'all' });
      return filled;
    },
    // It is created once, however often the page is looked at.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) {
    return (
      <Card
        title={t('phonebookBeing', { name: 'phonebook' in target ? target.phonebook.name : target.name })}
      >
        <Skeleton className="w-1/2" />
      </Card>
    );
  }
  return (
    <Card title={t('phonebookReady', { name: data.name })}>
      <p role="status" className="text-muted">
        {t('phonebookMembers', { count: data.added, members: format.number(data.added) })}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <ButtonLink
          variant="primary"
          to="/o/$organization/bulk-sms/new"
          params={{ organization: slug }}
          search={{ phonebookId: data.id }}
          icon={<Send aria-hidden className="size-4" />}
        >
          {t('sendToThem')}
        </ButtonLink>
        <ButtonLink
          to="/o/$organization/phonebooks/$phonebookId"
          params={{ organization: slug, phonebookId: data.id }}
        >
          {t('openPhonebook')}
        </ButtonLink>
      </div>
    </Card>
  );
}
