import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { sms } from '../../api.ts';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../design/menu.tsx';
import { organizationsQuery, useOrganization } from './organization.ts';
import { useText } from './text.ts';

/** Shows the current organization, and leads to the user's other ones. */
export function OrganizationSwitcher(): ReactNode {
  const t = useText();
  const navigate = useNavigate();
  const { organization, slug } = useOrganization();
  const { data: organizations } = useSuspenseQuery(organizationsQuery);
  // The next visit begins with the organization that was chosen last.
  const remember = useMutation({
    mutationFn: (organizationId: string) => sms.organizations.setActive({ organizationId }),
  });
  const show = (chosen: string): void => {
    const other = organizations.find((candidate) => candidate.slug === chosen);
    if (other === undefined || other.slug === slug) return;
    remember.mutate(other.id);
    void navigate({ to: '/o/$organization', params: { organization: other.slug } });
  };
  const trigger = (
    <button
      type="button"
      className="flex h-10 w-full items-center gap-2.5 rounded-md px-2 text-left hover:bg-hover data-popup-open:bg-hover"
    >
      <span
        aria-hidden
        className="flex size-6 shrink-0 items-center justify-center rounded-sm bg-accent text-xs font-semibold text-on-accent"
      >
        {Array.from(organization.name)[0]?.toUpperCase()}
      </span>
      <span className="min-w-0 flex-1 truncate font-medium">{organization.name}</span>
      <span className="sr-only">{t('switchOrganization')}</span>
      <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted" />
    </button>
  );
  return (
    <Menu trigger={trigger} align="start">
      <MenuChoice
        label={t('organizations')}
        value={slug}
        onChange={show}
        options={organizations.map(({ slug: value, name }) => ({ value, label: name }))}
      />
      <MenuSeparator />
      <MenuItem onSelect={() => void navigate({ to: '/new-organization' })}>
        <Plus aria-hidden />
        {t('newOrganization')}
      </MenuItem>
    </Menu>
  );
}
