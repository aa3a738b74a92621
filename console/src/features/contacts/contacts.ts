import { keepPreviousData, queryOptions, type QueryKey } from '@tanstack/react-query';
import type { Contact, ContactInput, ListContactsQuery } from 'sms-service-client';
import { sms } from '../../api.ts';
import { listQuery } from '../../records/list-query.ts';

/** What the list can be narrowed to. */
export type ContactFilters = Pick<ListContactsQuery, 'search' | 'tag'>;

/** The most rows that a page of the API has. */
const pageSize = 200;

/** The contacts that match, newest first. */
export function contactsQuery(organizationId: string, filters: ContactFilters) {
  return listQuery<Contact>([organizationId, 'contacts', 'list', filters], (paging, options) =>
    sms.contacts.list({ organizationId, ...filters, ...paging }, options),
  );
}

/** The beginning of the keys of counts, which change with the contacts. */
export function contactCountKey(organizationId: string): QueryKey {
  return [organizationId, 'contacts', 'count'];
}

/** How many contacts match. */
export function contactCountQuery(organizationId: string, filters: ContactFilters) {
  return queryOptions({
    queryKey: [...contactCountKey(organizationId), filters],
    queryFn: ({ signal }) => sms.contacts.count({ organizationId, ...filters }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}

/** All contacts that match, requested page by page. */
export function eachContact(organizationId: string, filters: ContactFilters = {}): AsyncIterable<Contact> {
  return sms.contacts.list({ organizationId, ...filters, limit: pageSize });
}

/** What people call a contact: its name, or its company, or nothing. */
export function nameOf({ firstName, lastName, company }: Contact): string {
  const name = [firstName, lastName].filter((part) => part !== null).join(' ');
  return name === '' ? (company ?? '') : name;
}

/** What the form for a contact holds: each field as text. */
export interface ContactValues {
  phoneNumber: string;
  firstName: string;
  lastName: string;
  company: string;
  email: string;
  /** Separated by commas. */
  tags: string;
  /** One `name = value` a line. */
  customFields: string;
}

/** The values of the form for a contact, or for a new one. */
export function toValues(contact: Contact | null): ContactValues {
  const customFields = Object.entries(contact?.customFields ?? {}).map(
    ([name, value]) => `${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return {
    phoneNumber: contact?.phoneNumber ?? '',
    firstName: contact?.firstName ?? '',
    lastName: contact?.lastName ?? '',
    company: contact?.company ?? '',
    email: contact?.email ?? '',
    tags: contact?.tags.join(', ') ?? '',
    customFields: customFields.join('\n'),
  };
}

/** What the API gets for the values of the form. A custom field whose text is unchanged keeps its value and type. */
export function toInput(values: ContactValues, organizationId: string, known: Contact | null): ContactInput {
  const { phoneNumber, firstName, lastName, company, email } = values;
  const before = known?.customFields ?? {};
  const customFields = linesOf(values.customFields).map((line): [string, unknown] => {
    const [name = '', ...rest] = line.split('=');
    const [key, text] = [name.trim(), rest.join('=').trim()];
    const value = Object.hasOwn(before, key) ? before[key] : undefined;
    return [key, typeof value !== 'string' && JSON.stringify(value) === text ? value : text];
  });
  return {
    organizationId,
    phoneNumber,
    firstName: firstName === '' ? null : firstName,
    lastName: lastName === '' ? null : lastName,
    company: company === '' ? null : company,
    email: email === '' ? null : email,
    tags: values.tags.split(',').filter((tag) => tag.trim() !== ''),
    customFields: Object.fromEntries(customFields),
  };
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
