import { getRouteApi } from '@tanstack/react-router';
import { Bookmark, Check, Trash2 } from 'lucide-react';
import { useMemo, useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { Button, buttonLook } from '../../design/button.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/form-fields.tsx';
import { MenuButton } from '../../design/menu-button.tsx';
import { MenuItem, MenuSeparator } from '../../design/menu.tsx';
import { useToast } from '../../design/toast.tsx';
import { useApiForm } from '../../form.tsx';
import { useUser } from '../auth/session.ts';
import { useOrganization } from '../organizations/organization.ts';
import type { MessageFilters } from './messages.ts';
import { mostViews, useSavedViews, type SavedView } from './saved-views.ts';
import { useText } from './text.ts';

const route = getRouteApi('/signed-in/o/$organization/messages');

/** The named filters of the reader: shown, saved and deleted. */
export function ViewsMenu({ filters }: { filters: MessageFilters }): ReactNode {
  const t = useText();
  const toast = useToast();
  const navigate = route.useNavigate();
  const { organizationId } = useOrganization();
  const { views, save, remove } = useSavedViews(useUser().id, organizationId);
  const [isNaming, setNaming] = useState(false);
  const current = views.find((view) => isSame(view.filters, filters));
  const mayBeSaved = current === undefined && Object.keys(filters).length > 0 && views.length < mostViews;
  return (
    <>
      <MenuButton
        align="start"
        className={buttonLook({})}
        items={
          <>
            {views.length === 0 && <p className="max-w-64 px-2 py-1.5 text-sm text-muted">{t('noViews')}</p>}
            {views.map((view) => (
              <MenuItem
                key={view.name}
                onSelect={() => void navigate({ search: view.filters, replace: true })}
              >
                <span className="min-w-0 flex-1 truncate">{view.name}</span>
                {view === current && <Check aria-hidden />}
              </MenuItem>
            ))}
            {(mayBeSaved || current !== undefined) && <MenuSeparator />}
            {mayBeSaved && (
              <MenuItem onSelect={() => setNaming(true)}>
                <Bookmark aria-hidden />
                {t('saveView')}
              </MenuItem>
            )}
            {current !== undefined && (
              <MenuItem
                onSelect={() => {
                  remove(current.name);
                  toast({ title: t('viewDeleted', { name: current.name }) });
                }}
              >
                <Trash2 aria-hidden />
                {t('deleteView', { name: current.name })}
              </MenuItem>
            )}
          </>
        }
      >
        <Bookmark aria-hidden className="size-4" />
        {current?.name ?? t('views')}
      </MenuButton>
      {isNaming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onNamed={(name) => {
            save({ name, filters });
            toast({ title: t('viewSaved', { name }) });
            setNaming(false);
          }}
        />
      )}
    </>
  );
}

function NameDialog({
  onClose,
  onNamed,
}: {
  onClose: () => void;
  onNamed: (name: string) => void;
}): ReactNode {
  const t = useText();
  const schema = useMemo(
    () =>
      z.object({
        name: z.string().check(z.minLength(1, t('viewNameMissing')), z.maxLength(60, t('viewNameTooLong'))),
      }),
    [t],
  );
  const form = useApiForm({
    schema,
    defaultValues: { name: '' },
    submit: ({ name }) => Promise.resolve(name.trim()),
    onSuccess: onNamed,
  });
  return (
    <Dialog isOpen onClose={onClose} title={t('saveView')} description={t('viewsHint')}>
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
        <TextField control={form.control} name="name" label={t('viewName')} autoComplete="off" />
        <Actions>
          <Button onClick={onClose}>{t('cancelView')}</Button>
          <Button type="submit" variant="primary" isPending={form.isPending}>
            {t('saveNow')}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

function isSame(one: SavedView['filters'], other: MessageFilters): boolean {
  const names = Object.keys({ ...one, ...other }) as (keyof MessageFilters)[];
  return names.every((name) => one[name] === other[name]);
}
