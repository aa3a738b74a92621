import type { World } from '../world/world.ts';
import type { Caller } from './caller.ts';
import { keyword, shortCode } from './other-clients.ts';
import { nextNumber } from './send.ts';

const contacts = 15;

/** Creates what the clients use: a campaign, a phonebook, a short code and a keyword rule. */
export async function prepareOrganization(
  { demo, database }: World,
  caller: Caller,
): Promise<{ campaignId: string; contactListId: string }> {
  const { organizationId } = demo;
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await caller.callUntilAnswered({
      method: 'POST',
      path,
      body: { organizationId, ...body },
    });
    if (answer.status !== 201) throw new Error(`POST ${path} was answered ${answer.status}.`);
    return answer.body.id as string;
  };
  const campaignId = await create('/api/v1/campaigns', { name: 'Chaos' });
  const contactListId = await create('/api/v1/contact-lists', { name: 'Chaos' });
  const contactIds: string[] = [];
  for (let index = 0; index < contacts; index += 1) {
    contactIds.push(
      await create('/api/v1/contacts', { phoneNumber: nextNumber(), firstName: `Name ${index}` }),
    );
  }
  const path = `/api/v1/contact-lists/${contactListId}/members`;
  await caller.callUntilAnswered({ method: 'PUT', path, body: { organizationId, contactIds } });
  // Only an administrator approves numbers; the harness is none.
  await database.query(
    `insert into sender_ids (id, organization_id, value, status, is_default, use_case, sample_message, created_at)
     values (gen_random_uuid(), $1, $2, 'approved', false, 'Chaos', 'Chaos', now())`,
    [organizationId, shortCode],
  );
  await create('/api/v1/inbound/keywords', {
    ...{ keyword, response: 'Planted reply', matchType: 'starts_with' },
  });
  return { campaignId, contactListId };
}
