import type { SmsClient } from 'sms-service-client';
import { defineCommand } from '../command.ts';
import { CliError } from '../errors.ts';
import { readText } from '../read-text.ts';
import { showBatch, watchBatch } from '../watch-batch.ts';

export const createBulk = defineCommand({
  name: 'bulk create',
  summary: 'Sends a text to every contact of a phonebook.',
  description: ['The text may have the fields of the contact: {{firstName|there}}, {{customFields.city}}.'],
  arguments: [{ name: 'TEXT', description: 'The text, in quotes; - reads standard input.' }],
  options: {
    campaign: {
      type: 'string',
      value: 'CAMPAIGN',
      isRequired: true,
      description: 'The id or the name of an active campaign.',
    },
    phonebook: {
      type: 'string',
      value: 'PHONEBOOK',
      isRequired: true,
      description: 'The id or the name of a phonebook.',
    },
    at: { type: 'string', value: 'TIME', description: 'When to start, in ISO 8601. Default: now.' },
    watch: { type: 'boolean', description: 'Show the progress until the batch has ended.' },
  },
  examples: ["sms bulk create 'Selam {{firstName|there}}' --campaign Holidays --phonebook Customers --watch"],
  run: async (context, { options, args: [text = ''] }) => {
    const { signal } = context;
    const sms = context.client();
    const organizationId = context.organizationId();
    const [campaignId, contactListId] = [
      await findByName('campaign', options.campaign, listCampaigns(sms, organizationId, signal)),
      await findByName(
        'phonebook',
        options.phonebook,
        sms.contactLists.list({ limit: 200, organizationId }, { signal }),
      ),
    ];
    const batch = await sms.bulkSms.create(
      {
        ...{ campaignId, contactListId, organizationId, text: await readText(text) },
        ...(options.at !== undefined && { scheduledAt: options.at }),
      },
      { signal },
    );
    if (options.watch) return watchBatch(context, batch.id);
    showBatch(context, batch);
  },
});

function listCampaigns(
  sms: SmsClient,
  organizationId: string | undefined,
  signal: AbortSignal,
): AsyncIterable<{ id: string; name: string }> {
  return sms.campaigns.list({ organizationId, pageSize: 100 }, { signal });
}

/** Returns the id of what has this name, or the given id. */
async function findByName(
  kind: string,
  given: string,
  all: AsyncIterable<{ id: string; name: string }>,
): Promise<string> {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(given)) return given;
  const found: string[] = [];
  for await (const { id, name } of all) if (name === given) found.push(id);
  if (found.length === 0) throw new CliError('notFound', 'not_found', `There is no ${kind} named ${given}.`);
  if (found.length === 1) return found[0]!;
  throw new CliError(
    'usage',
    'ambiguous',
    `Several have the name ${given}: ${found.join(', ')}. Give an id.`,
  );
}
