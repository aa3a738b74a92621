import type { Demo } from '../../bench/service.ts';

/** Ids of things that exist, by the name that requests give them. */
export type KnownIds = Record<string, string[]>;

const farFuture = '2999-01-31T06:00:00Z';
/** Of each kind, so that a deletion leaves some. */
const thingsOfAKind = 3;

/**
 * Makes some of each thing of the demo organization, so that operations on one do not all end at a 404.
 *
 * @throws Error if the service refuses one
 */
export async function makeThings(demo: Demo): Promise<KnownIds> {
  const make = async (path: string, json: object): Promise<Record<string, string>> => {
    const response = await fetch(`${demo.baseUrl}${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': demo.testApiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ organizationId: demo.organizationId, ...json }),
    });
    const body = (await response.json()) as Record<string, string>;
    if (response.status >= 300) throw new Error(`${path} was answered ${response.status}: ${body['code']}`);
    return body;
  };
  const ids: KnownIds = { organizationId: [demo.organizationId] };
  const keep = async (name: string, path: string, json: object, field = 'id'): Promise<string> => {
    const id = (await make(path, json))[field]!;
    (ids[name] ??= []).push(id);
    return id;
  };
  for (let n = 0; n < thingsOfAKind; n += 1) {
    const to = `+2519110000${n}${n}`;
    const message = { to, text: 'Selam' };
    await keep('messageId', '/api/v1/messages', message);
    await keep('verificationId', '/api/v1/security-codes/send', { to }, 'verificationId');
    await keep('scheduleId', '/api/v1/messages/schedule', {
      ...message,
      scheduleType: 'once',
      startsAt: farFuture,
    });
    const contactId = await keep('contactId', '/api/v1/contacts', { phoneNumber: to });
    const listId = await keep('listId', '/api/v1/contact-lists', { name: `List ${n}` });
    await fetch(`${demo.baseUrl}/api/v1/contact-lists/${listId}/members`, {
      method: 'PUT',
      headers: { 'X-API-Key': demo.testApiKey, 'Content-Type': 'application/json' },
      body: JSON.stringify({ organizationId: demo.organizationId, contactIds: [contactId] }),
    });
    const campaignId = await keep('campaignId', '/api/v1/campaigns', { name: `Campaign ${n}` });
    const bulk = { campaignId, contactListId: listId, text: 'Selam', scheduledAt: farFuture };
    await keep('bulkSmsId', '/api/v1/bulk-sms', bulk);
    await keep('importId', '/api/v1/contacts/import', { file: `phone\n+2519220000${n}${n}\n` });
    await keep('templateId', '/api/v1/templates', { name: `Template ${n}`, content: 'Selam {{firstName}}' });
    const sender = { value: `Parcels ${n}`, useCase: 'Tells where parcels are.', sampleMessage: 'Hello.' };
    await keep('senderId', '/api/v1/sender-ids', sender);
    await keep('suppressionId', '/api/v1/suppressions', { phoneNumber: `+2519330000${n}${n}` });
    await keep('keywordId', '/api/v1/inbound/keywords', { keyword: `WORD${n}`, response: 'Selam' });
  }
  return { ...ids, contactListId: ids['listId']!, contactIds: ids['contactId']! };
}
