import { useCallback, useState } from 'react';
import type { MessageFilters } from './messages.ts';
import { readFilters } from './routes.tsx';

/** Filters of the list under a name. */
export interface SavedView {
  name: string;
  filters: MessageFilters;
}

/** More would not fit a menu. */
export const mostViews = 20;

/** The views of a user in an organization. They are in the storage of the browser, so other browsers do not have them. */
export function useSavedViews(userId: string, organizationId: string) {
  const key = `message-views:${userId}:${organizationId}`;
  const [views, setViews] = useState(() => readViews(key));
  const store = useCallback(
    (changed: SavedView[]) => {
      setViews(changed);
      try {
        localStorage.setItem(key, JSON.stringify(changed));
      } catch {
        // A browser may forbid its storage. The views then last until the page is left.
      }
    },
    [key],
  );
  return {
    views,
    /** Stores filters under a name. A view with this name is replaced. */
    save: (view: SavedView) => store([...views.filter(({ name }) => name !== view.name), view]),
    remove: (removed: string) => store(views.filter(({ name }) => name !== removed)),
  };
}

/** What is stored may have been written by another version of the console. */
function readViews(key: string): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return (stored as Partial<SavedView>[]).flatMap(({ name, filters }) =>
      typeof name === 'string' ? [{ name, filters: readFilters({ ...filters }) }] : [],
    );
  } catch {
    return [];
  }
}
