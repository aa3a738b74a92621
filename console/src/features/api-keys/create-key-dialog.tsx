import { useQueryClient } from '@tanstack/react-query';
import type { NewApiKey } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { sms } from '../../api.ts';
import { Button } from '../../design/button.tsx';
import { CopyableBlock } from '../../design/copyable.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/form-fields.tsx';
import { SelectField } from '../../design/select-field.tsx';
import { Notice } from '../../design/states.tsx';
import { FormFailure, useApiForm } from '../../form.tsx';
import { useOrganization } from '../organizations/organization.ts';
import { permissionSets } from './api-keys.ts';
import { useText } from './text.ts';

/** Creates a key, and shows it once with a command that uses it. */
export function CreateKeyDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const t = useText();
  const [created, setCreated] = useState<NewApiKey>();
  const close = (): void => {
    setCreated(undefined);
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      // The key is shown once, so this dialog is not closed by a slip.
      onClose={created === undefined ? close : undefined}
      title={created === undefined ? t('create') : t('created', { name: created.name })}
      description={created === undefined ? t('createHint') : t('createdHint')}
    >
      {created === undefined ? (
        <CreateKeyForm onCreated={setCreated} onCancel={close} />
      ) : (
        <CreatedKey created={created} onDone={close} />
      )}
    </Dialog>
  );
}

function CreateKeyForm(props: { onCreated: (key: NewApiKey) => void; onCancel: () => void }): ReactNode {
  const t = useText();
  const queryClient = useQueryClient();
  const { organizationId } = useOrganization();
  const schema = useMemo(
    () =>
      z.object({
        name: z.string().check(z.minLength(1, t('nameLength')), z.maxLength(80, t('nameLength'))),
        environment: z.enum(['test', 'live']),
        may: z.enum(['sending', 'reading', 'everything']),
      }),
    [t],
  );
  const form = useApiForm({
    schema,
    defaultValues: { name: '', environment: 'test', may: 'sending' },
    submit: ({ name, environment, may }) =>
      sms.apiKeys.create({
        ...{ organizationId, name, environment },
        permissions: permissionSets[may],
      }),
    onSuccess: (key) => {
      void queryClient.invalidateQueries({ queryKey: [organizationId, 'api-keys'] });
      props.onCreated(key);
    },
  });
  const environments = [
    { value: 'test', label: t('test') },
    { value: 'live', label: t('live') },
  ];
  const sets = (['sending', 'reading', 'everything'] as const).map((value) => ({ value, label: t(value) }));
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <TextField control={form.control} name="name" label={t('name')} placeholder={t('nameExample')} />
      <SelectField
        control={form.control}
        name="environment"
        label={t('environment')}
        hint={t('environmentHint')}
        options={environments}
      />
      <SelectField control={form.control} name="may" label={t('permissions')} options={sets} />
      <FormFailure error={form.failure} />
      <Actions>
        <Button onClick={props.onCancel}>{t('cancel')}</Button>
        <Button type="submit" variant="primary" isPending={form.isPending}>
          {t('createKey')}
        </Button>
      </Actions>
    </form>
  );
}

function CreatedKey({ created, onDone }: { created: NewApiKey; onDone: () => void }): ReactNode {
  const t = useText();
  const command = [
    `curl -sS ${window.location.origin}/api/v1/messages`,
    `-H 'X-API-Key: ${created.key}'`,
    `-d to=0911234567 -d text=Selam`,
  ].join(' \\\n  ');
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="warning" title={t('shownOnce')} />
      <CopyableBlock label={t('key')} text={created.key} />
      <p className="text-sm text-muted">{t('tryIt')}</p>
      <CopyableBlock label={t('command')} text={command} />
      <Actions>
        <Button variant="primary" onClick={onDone}>
          {t('stored')}
        </Button>
      </Actions>
    </div>
  );
}
