import { queryOptions } from '@tanstack/react-query';
import type { Phonebook } from 'sms-service-client';
import { sms } from '../../../api.ts';
import { changeMembers } from '../../phonebooks/phonebooks.ts';
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

/** Where the contacts of an import go: into a new phonebook, or into one that exists. */
export type ImportTarget = { name: string } | { phonebook: Pick<Phonebook, 'id' | 'name'> };

/** Puts the contacts with these numbers into a phonebook, whose other members stay. */
export async function fillPhonebook(
  organizationId: string,
  target: ImportTarget,
  numbers: ReadonlySet<string>,
): Promise<{ id: string; name: string; added: number }> {
  const contactIds = await findContactIds(organizationId, numbers);
  const { id, name } =
    'phonebook' in target
      ? target.phonebook
      : await sms.contactLists.create({ organizationId, name: target.name });
  const { added } = await changeMembers(organizationId, id, { add: contactIds });
  return { id, name, added };
}
