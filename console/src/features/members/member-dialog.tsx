import type { MemberRole, MemberWithUser } from 'sms-service-client';
import { useState, type ReactNode } from 'react';
import { useAction } from '../../action.ts';
import { sms } from '../../api.ts';
import { ConfirmDialog } from '../../records/confirm-dialog.tsx';
import { Button } from '../../design/button.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { Field } from '../../design/field.tsx';
import { Select } from '../../design/select.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { useText } from './text.ts';

interface MemberDialogProps {
  member: MemberWithUser;
  onClose: () => void;
}

/** One member: their role, and their removal. */
export function MemberDialog(props: { member: MemberWithUser | undefined; onClose: () => void }): ReactNode {
  const { member, onClose } = props;
  const [isRemoving, setRemoving] = useState(false);
  const close = (): void => {
    setRemoving(false);
    onClose();
  };
  return (
    <>
      <Dialog
        isOpen={member !== undefined && !isRemoving}
        onClose={close}
        title={member?.user?.name ?? ''}
        description={member?.user?.email}
      >
        {member !== undefined && (
          <RoleForm key={member.id} member={member} onClose={close} onRemove={() => setRemoving(true)} />
        )}
      </Dialog>
      {member !== undefined && <RemoveDialog member={member} isOpen={isRemoving} onClose={close} />}
    </>
  );
}

function RoleForm({ member, onClose, onRemove }: MemberDialogProps & { onRemove: () => void }): ReactNode {
  const t = useText();
  const { organizationId, role: ownRole } = useOrganization();
  const [role, setRole] = useState(member.role);
  const change = useAction({
    run: () => sms.organizations.updateMemberRole({ organizationId, memberId: member.id, role }),
    done: () => ({ title: t('roleChanged', { name: member.user?.name ?? '', role: t(role) }) }),
    changes: [[organizationId, 'members']],
    onDone: onClose,
  });
  // Only owners make owners.
  const roles: MemberRole[] = ownRole === 'owner' ? ['owner', 'admin', 'member'] : ['admin', 'member'];
  const choices = roles.includes(member.role) ? roles : [member.role, ...roles];
  return (
    <div>
      <Field label={t('role')} hint={t(`${role}Hint`)}>
        <Select
          options={choices.map((value) => ({ value, label: t(value) }))}
          value={role}
          onChange={setRole}
        />
      </Field>
      <Actions>
        <Button className="mr-auto max-sm:mr-0" onClick={onRemove}>
          {t('remove')}
        </Button>
        <Button onClick={onClose}>{t('cancel')}</Button>
        <Button
          variant="primary"
          disabled={role === member.role}
          isPending={change.isPending}
          onClick={() => change.mutate(undefined)}
        >
          {t('changeRole')}
        </Button>
      </Actions>
    </div>
  );
}

function RemoveDialog({ member, isOpen, onClose }: MemberDialogProps & { isOpen: boolean }): ReactNode {
  const t = useText();
  const { organizationId } = useOrganization();
  const name = member.user?.name ?? '';
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('removeTitle', { name })}
      description={t('removeHint')}
      confirm={t('removeIt')}
      run={() => sms.organizations.removeMember({ organizationId, memberIdOrEmail: member.id })}
      done={t('removed', { name })}
      changes={[[organizationId, 'members']]}
    />
  );
}
