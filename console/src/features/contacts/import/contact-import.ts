import { queryOptions } from '@tanstack/react-query';
import { sms } from '../../../api.ts';
import { eachContact } from '../contacts.ts';

/** An import, read again until it has ended. */
export function importQuery(organizationId: string, importId: string) {
  return queryOptions({
    queryKey: [organizationId, 'contacts', 'import', importId],
    queryFn: ({ signal }) => sms.contacts.getImport(importId, { organizationId }, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.status === 'processing' ? 1_000 : false),
  });
}

/** The ids of the contacts with these numbers. The newest contacts are read first, so most imports are found soon. */
export async function findContactIds(
  organizationId: string,
  numbers: ReadonlySet<string>,
): Promise<string[]> {
  const ids: string[] = [];
  if (numbers.size === 0) return ids;
  for await (const { id, phoneNumber } of eachContact(organizationId)) {
    if (numbers.has(phoneNumber)) ids.push(id);
    if (ids.length === numbers.size) break;
  }
  return ids;
}

/** Creates a phonebook of the contacts with these numbers. */
export async function createPhonebookOf(organizationId: string, name: string, numbers: ReadonlySet<string>) {
  const contactIds = await findContactIds(organizationId, numbers);
  const phonebook = await sms.contactLists.create({ organizationId, name });
  const { memberCount } = await sms.contactLists.replaceMembers(phonebook.id, { organizationId, contactIds });
  return { ...phonebook, memberCount };
}
