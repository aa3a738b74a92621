import { queryOptions } from '@tanstack/react-query';
import type { Contact, Phonebook } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

const pageSize = 200;

/** The phonebooks of the organization, newest first. */
export function phonebooksQuery(organizationId: string) {
  return listQuery<Phonebook>([organizationId, 'phonebooks', 'list'], (paging, options) =>
    sms.contactLists.list({ organizationId, ...paging }, options),
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
  return listQuery<Contact>([organizationId, 'phonebooks', phonebookId, 'members'], (paging, options) =>
    sms.contactLists.listMembers(phonebookId, { organizationId, ...paging }, options),
  );
}

/** The most contacts that the API adds with one request. */
const addedAtOnce = 500;

/** Adds contacts to a phonebook and removes others. What others change at the same time stays. */
export async function changeMembers(
  organizationId: string,
  phonebookId: string,
  { add = [], remove = [] }: { add?: readonly string[]; remove?: readonly string[] },
): Promise<{ added: number; removed: number }> {
  let added = 0;
  for (let first = 0; first < add.length; first += addedAtOnce) {
    const contactIds = add.slice(first, first + addedAtOnce);
    const result = await sms.contactLists.addMembers(phonebookId, { organizationId, contactIds });
    added += result.added;
  }
  for (const contactId of remove) {
    await sms.contactLists.removeMember(phonebookId, contactId, { organizationId });
  }
  return { added, removed: remove.length };
}
