import type { Client } from 'pg';
import { prepareBulk } from '../bulk.ts';
import { perSecond, waitFor } from '../load.ts';
import { clientOf } from '../service.ts';
import { measureGatewayLoop, type UsableGateway } from '../yardsticks.ts';
import type { Bench, RunRound } from './scenario.ts';

/** The number of recipients for each operation of a round: a batch is large by nature. */
const recipientsPerOperation = 5;

/**
 * Measures a bulk batch: how fast its recipients are stored, its messages are submitted, and delivered. The yardsticks
 * are one INSERT … SELECT of the same recipients, and the loop of the send scenario.
 */
export function measureBulk(options: {
  apiKey: string;
  startGateway: (callbackBaseUrl: string) => Promise<UsableGateway>;
}): RunRound {
  const audiences = new Map<number, ReturnType<typeof prepareBulk>>();
  return async (bench) => {
    const { service, database, operations } = bench;
    const recipients = operations * recipientsPerOperation;
    const audience = audiences.get(recipients) ?? prepareBulk(service, database, recipients);
    audiences.set(recipients, audience);
    const { campaignId, contactListId } = await audience;
    const gatewayLoop = await measureGatewayLoop(options.startGateway, operations);
    const insertsPerSecond = await measureInsertSelect(database, contactListId);

    const startedAt = performance.now();
    const input = { campaignId, contactListId, text: 'Selam {{firstName|there}}, you have a new offer.' };
    const { id } = await clientOf(service, options.apiKey).bulkSms.create(input);
    const waitUntil = async (name: string, condition: string): Promise<number> => {
      await waitFor(name, async () => {
        const { rows } = await database.query<{ holds: boolean }>(
          `select ${condition} as holds from bulk_batches where id = $1`,
          [id],
        );
        return rows[0]!.holds;
      });
      return perSecond(recipients, startedAt);
    };
    const expanded = await waitUntil('all recipients stored', 'total > 0');
    const sent = await waitUntil('the batch completed', `status = 'completed'`);
    const open = `select from messages where bulk_batch_id = $1 and status in ('queued', 'accepted', 'sent')`;
    const delivered = await waitUntil('all messages delivered', `not exists (${open})`);
    await checkDelivered(bench, id, recipients);
    return [
      { name: 'bulk recipients stored', unit: '/s', value: expanded, yardstick: insertsPerSecond },
      { name: 'bulk messages submitted', unit: '/s', value: sent, yardstick: gatewayLoop },
      { name: 'bulk messages delivered', unit: '/s', value: delivered, yardstick: gatewayLoop },
    ];
  };
}

/** Returns the rows per second of one statement that copies the recipients into a table with the same constraints. */
async function measureInsertSelect(database: Client, contactListId: string): Promise<number> {
  await database.query('create table if not exists bare_recipients (like bulk_recipients including all)');
  const startedAt = performance.now();
  const { rowCount } = await database.query(
    `insert into bare_recipients (batch_id, position, organization_id, contact_id, recipient, fields)
     select gen_random_uuid(), row_number() over (order by contacts.id), contacts.organization_id, contacts.id, phone_number,
       jsonb_build_object('firstName', first_name)
     from phonebook_members join contacts on contacts.id = phonebook_members.contact_id
     where phonebook_id = $1`,
    [contactListId],
  );
  const rate = perSecond(rowCount!, startedAt);
  await database.query('truncate bare_recipients');
  return rate;
}

async function checkDelivered({ database }: Bench, batchId: string, recipients: number): Promise<void> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int from messages where bulk_batch_id = $1 and status = 'delivered'`,
    [batchId],
  );
  if (rows[0]!.count !== recipients) throw new Error('Not all messages of the batch are delivered.');
}
