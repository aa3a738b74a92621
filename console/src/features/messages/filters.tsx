import { getRouteApi } from '@tanstack/react-router';
import { Search, X } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { controlLook } from '../../design/control-look.ts';
import { classes } from '../../design/classes.ts';
import { Select } from '../../design/select.tsx';
import { useOrganization } from '../organizations/organization.ts';
import type { MessageFilters } from './messages.ts';
import { messageEnvironments, messageStatuses } from './routes.tsx';
import { ViewsMenu } from './views-menu.tsx';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/o/$organization/messages');
const all = 'all';
/** The shortest and the longest recipient that the API accepts as a filter. */
const recipientPattern = /^\+?\d{8,15}$/;

/** What narrows the list. The filters are in the address of the page. */
export function Filters({ filters }: { filters: MessageFilters }): ReactNode {
  const t = useText();
  const navigate = route.useNavigate();
  const { organizationId } = useOrganization();
  const change = (changed: { [Name in keyof MessageFilters]?: MessageFilters[Name] | undefined }): void => {
    const kept = Object.entries({ ...filters, ...changed }).filter(([, value]) => value !== undefined);
    void navigate({ search: Object.fromEntries(kept), replace: true });
  };
  const statuses = [
    { value: all, label: t('anyStatus') },
    ...messageStatuses.map((value) => ({ value, label: t(value) })),
  ];
  const environments = [
    { value: all, label: t('liveAndTest') },
    ...messageEnvironments.map((value) => ({ value, label: t(value) })),
  ];
  return (
    <search className="flex flex-wrap items-center gap-2">
      <RecipientFilter key={filters.to ?? ''} to={filters.to ?? ''} onChange={(to) => change({ to })} />
      <Select
        label={t('status')}
        className="w-40 max-sm:flex-1"
        options={statuses}
        value={filters.status ?? all}
        onChange={(value) => change({ status: messageStatuses.find((status) => status === value) })}
      />
      <Select
        label={t('environment')}
        className="w-40 max-sm:flex-1"
        options={environments}
        value={filters.environment ?? all}
        onChange={(value) => change({ environment: messageEnvironments.find((name) => name === value) })}
      />
      <ViewsMenu key={organizationId} filters={filters} />
      {Object.keys(filters).length > 0 && (
        <Button
          variant="quiet"
          icon={<X aria-hidden className="size-4" />}
          onClick={() => void navigate({ search: {}, replace: true })}
        >
          {t('clearFilters')}
        </Button>
      )}
    </search>
  );
}

/** A recipient to look for. It is looked for when it is complete and Enter is pressed or the field is left. */
function RecipientFilter({
  to,
  onChange,
}: {
  to: string;
  onChange: (to: string | undefined) => void;
}): ReactNode {
  const t = useText();
  const [typed, setTyped] = useState(to);
  const errorId = useId();
  const entered = typed.replace(/[\s()-]/g, '');
  const isInvalid = entered !== '' && entered !== to && !recipientPattern.test(entered);
  const apply = (): void => {
    if (entered === '' || recipientPattern.test(entered)) onChange(entered === '' ? undefined : entered);
  };
  return (
    <form
      className="relative max-sm:w-full"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        inputMode="tel"
        aria-label={t('recipient')}
        aria-describedby={isInvalid ? errorId : undefined}
        placeholder={t('findRecipient')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={apply}
        className={classes(controlLook, 'h-9 w-56 pl-8 max-sm:h-11 max-sm:w-full')}
      />
      {isInvalid && (
        <p
          id={errorId}
          className="absolute top-full left-0 z-10 mt-1 rounded-sm bg-raised px-2 py-1 text-xs text-muted shadow-floating"
        >
          {t('wholeNumber')}
        </p>
      )}
    </form>
  );
}
