import { queryOptions } from '@tanstack/react-query';
import type { Contact, Phonebook } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../list.tsx';

const pageSize = 200;

/** The phonebooks of the organization, newest first. */
export function phonebooksQuery(organizationId: string) {
  return listQuery<Phonebook>([organizationId, 'phonebooks', 'list'], (position, signal) =>
    sms.contactLists.list({ organizationId, limit: pageSize, ...position }, { signal }).page(),
  );
}

/** All phonebooks, for a choice among them, and to find one by its id: the API has no request for a single one. */
export function allPhonebooksQuery(organizationId: string) {
  return queryOptions({
    queryKey: [organizationId, 'phonebooks', 'all'],
    queryFn: async ({ signal }) => {
      const phonebooks: Phonebook[] = [];
      for await (const one of sms.contactLists.list({ organizationId, limit: pageSize }, { signal })) {
        phonebooks.push(one);
      }
      return phonebooks;
    },
  });
}

/** The contacts of a phonebook, newest first. */
export function membersQuery(organizationId: string, phonebookId: string) {
  return listQuery<Contact>([organizationId, 'phonebooks', phonebookId, 'members'], (position, signal) =>
    sms.contactLists
      .listMembers(phonebookId, { organizationId, limit: pageSize, ...position }, { signal })
      .page(),
  );
}

/**
 * Adds contacts to a phonebook and removes others. The API replaces all members at once, so they are read before; a
 * change that somebody else makes in this moment is lost.
 */
export async function changeMembers(
  organizationId: string,
  phonebookId: string,
  { add = [], remove = [] }: { add?: readonly string[]; remove?: readonly string[] },
) {
  const ids = new Set<string>();
  const members = sms.contactLists.listMembers(phonebookId, { organizationId, limit: pageSize });
  for await (const { id } of members) ids.add(id);
  for (const id of add) ids.add(id);
  for (const id of remove) ids.delete(id);
  return sms.contactLists.replaceMembers(phonebookId, { organizationId, contactIds: [...ids] });
}
