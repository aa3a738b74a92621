import { useQueryClient } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/form-fields.tsx';
import { SelectField } from '../../design/select-field.tsx';
import { useToast } from '../../design/toast.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { useText } from './text.ts';

/** Invites a person by mail. */
export function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const t = useText();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('inviteTitle')} description={t('inviteHint')}>
      <InviteForm onDone={onClose} />
    </Dialog>
  );
}

function InviteForm({ onDone }: { onDone: () => void }): ReactNode {
  const t = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { organizationId, role: ownRole } = useOrganization();
  const schema = useMemo(
    () =>
      z.object({
        email: z.string().check(z.email(t('emailInvalid'))),
        role: z.enum(['owner', 'admin', 'member']),
      }),
    [t],
  );
  const form = useApiForm({
    schema,
    defaultValues: { email: '', role: 'member' },
    submit: (values) => sms.organizations.inviteMember({ ...values, organizationId }),
    onSuccess: ({ email }) => {
      void queryClient.invalidateQueries({ queryKey: [organizationId, 'invitations'] });
      toast({ title: t('invited', { email }), description: t('invitedHint') });
      onDone();
    },
  });
  const role = useWatch({ control: form.control, name: 'role' });
  const roles = (['member', 'admin', 'owner'] as const).filter(
    (value) => value !== 'owner' || ownRole === 'owner',
  );
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <TextField control={form.control} name="email" label={t('email')} type="email" autoComplete="off" />
      <SelectField
        control={form.control}
        name="role"
        label={t('role')}
        hint={t(`${role}Hint`)}
        options={roles.map((value) => ({ value, label: t(value) }))}
      />
      <FormFailure error={form.failure} />
      <Actions>
        <Button onClick={onDone}>{t('cancel')}</Button>
        <Button type="submit" variant="primary" isPending={form.isPending}>
          {t('sendInvitation')}
        </Button>
      </Actions>
    </form>
  );
}
