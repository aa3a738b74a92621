import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { sms } from '../../api.ts';
import { MenuChoice, MenuItem, MenuSeparator } from '../../design/menu.tsx';
import { organizationsQuery, useOrganization } from './organization.ts';
import { useText } from './text.ts';

/** The organizations of the user, and the way to a new one. */
export default function OrganizationMenuItems(): ReactNode {
  const t = useText();
  const navigate = useNavigate();
  const { slug } = useOrganization();
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
  return (
    <>
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
    </>
  );
}
