import { readFileSync } from 'node:fs';
import { Client as TemporalClient, Connection } from '@temporalio/client';
import { Client } from 'pg';
import type { SmsClient } from '../client/src/index.ts';
import { percentile } from './load.ts';
import { clientOf, startService, type RunningService } from './service.ts';
import { measureGatewayLoop, startOwnSimulator } from './yardsticks.ts';

/**
 * Measures how fast a bulk batch is sent on the embedded default, and its effect on callers of the API. Everything is
 * done from outside: contacts by import, the batch by POST, its progress by GET; the database is only read. The rate
 * limits are raised, so that the bench measures the machine.
 *
 * Options: the number of recipients (10000).
 */
export async function bulkBench([count = '10000']: string[]): Promise<void> {
  const recipients = Number(count);
  const yardstick = await measureGatewayLoop(startOwnSimulator, Math.min(recipients, 5000));
  const service = await startService({ BULK_RATE_PER_SECOND: '100000', SENDER_RATE_PER_SECOND: '100000' });
  try {
    const result = await measure(service, recipients);
    const perSecond = recipients / (result.sentMs / 1000);
    const lines: [string, string][] = [
      ['recipients', String(recipients)],
      ['import, ms', result.importMs.toFixed(0)],
      ['estimate, ms', result.estimateMs.toFixed(0)],
      ['expanding, ms', result.expandingMs.toFixed(0)],
      ['submitted/s', perSecond.toFixed(0)],
      ['delivered/s', (recipients / (result.deliveredMs / 1000)).toFixed(0)],
      [
        'yardstick/s',
        `${yardstick.toFixed(0)}   (HTTP loop into the simulator with reports, nothing stored)`,
      ],
      ['submitted/yardstick', (perSecond / yardstick).toFixed(2)],
      [
        'API p95, ms',
        `${percentile(result.answersMs, 95).toFixed(0)}   (GET of the batch, ${result.answersMs.length} times)`,
      ],
      [
        'code accepted, ms',
        `${result.codesMs.map((ms) => ms.toFixed(0)).join(', ')}   (security codes sent in the middle)`,
      ],
      ['history events', `${result.historyEvents}   (of the last run)`],
      ['worker peak, MiB', (result.peakBytes / 2 ** 20).toFixed(0)],
      ['ledger balanced', `${result.answersMs.length} of ${result.answersMs.length} times`],
    ];
    process.stdout.write(lines.map(([name, value]) => `${name.padEnd(20)} ${value}\n`).join(''));
  } finally {
    await service.stop();
  }
}

interface Measured {
  importMs: number;
  estimateMs: number;
  /** From the POST until the recipients are frozen. */
  expandingMs: number;
  sentMs: number;
  deliveredMs: number;
  answersMs: number[];
  codesMs: number[];
  historyEvents: number;
  peakBytes: number;
}

async function measure(service: RunningService, recipients: number): Promise<Measured> {
  const { demo } = service;
  const sms = clientOf(service);
  const database = new Client({ connectionString: demo.databaseUrl });
  await database.connect();
  const importedAt = performance.now();
  const { campaignId, contactListId } = await prepareBulk(service, database, recipients);
  const importMs = performance.now() - importedAt;

  const text = 'Selam {{firstName|there}}, you have {{customFields.points}} points.';
  const estimatedAt = performance.now();
  await sms.bulkSms.estimate({ contactListId, text });
  const estimateMs = performance.now() - estimatedAt;

  const startedAt = performance.now();
  const batch = await sms.bulkSms.create({ campaignId, contactListId, text });
  const answersMs: number[] = [];
  const codesMs: number[] = [];
  const codes: Promise<void>[] = [];
  let expandingMs: number | null = null;
  let sentMs: number | null = null;
  for (;;) {
    const askedAt = performance.now();
    const { status, ledger } = await sms.bulkSms.get(batch.id);
    answersMs.push(performance.now() - askedAt);
    const { total, ...statuses } = ledger;
    const sum = Object.values(statuses).reduce((all, one) => all + one, 0);
    if (sum !== total) throw new Error(`The ledger does not balance: ${JSON.stringify(ledger)}.`);
    if (total > 0) expandingMs ??= performance.now() - startedAt;
    if (total > 0 && codes.length < 5 && total - ledger.queued > (codes.length + 1) * (total / 7)) {
      codes.push(sendCode(sms, database).then((ms) => void codesMs.push(ms)));
    }
    if (status === 'completed') sentMs ??= performance.now() - startedAt;
    if (status === 'failed') throw new Error('The batch failed.');
    if (total > 0 && statuses.delivered === total) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const deliveredMs = performance.now() - startedAt;
  await Promise.all(codes);
  while (sentMs === null) {
    const { status } = await sms.bulkSms.get(batch.id);
    if (status === 'completed') sentMs = performance.now() - startedAt;
  }
  const historyEvents = await countEvents(service, `bulk-sms/${batch.id}`);
  const peakBytes = peakMemory(service.processId('worker')!);
  await database.end();
  return {
    ...{
      importMs,
      estimateMs,
      expandingMs: expandingMs!,
      sentMs: Math.min(sentMs, deliveredMs),
      deliveredMs,
    },
    ...{ answersMs, codesMs, historyEvents, peakBytes },
  };
}

/** Imports contacts, and creates a campaign, and a contact list of as many contacts. */
export async function prepareBulk(
  service: RunningService,
  database: Client,
  recipients: number,
): Promise<{ campaignId: string; contactListId: string }> {
  const { organizationId } = service.demo;
  const lines = Array.from(
    { length: recipients },
    (_, index) => `+2519${String(20_000_000 + index)},Name ${index},${index % 1000}`,
  );
  const file = `phoneNumber,firstName,points\n${lines.join('\n')}\n`;
  const sms = clientOf(service);
  const { id: importId } = await sms.contacts.import({ organizationId, file });
  while ((await sms.contacts.getImport(importId)).status !== 'completed') {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const name = `Bench of ${recipients}`;
  const { id: campaignId } = await sms.campaigns.create({ organizationId, name });
  const { id: contactListId } = await sms.contactLists.create({ organizationId, name });
  const { rows } = await database.query<{ id: string }>('select id from contacts limit $1', [recipients]);
  const contactIds = rows.map(({ id }) => id);
  await sms.contactLists.replaceMembers(contactListId, { organizationId, contactIds });
  return { campaignId, contactListId };
}

/** Sends a security code. Returns the time from its POST until the gateway accepted its message. */
async function sendCode(sms: SmsClient, database: Client): Promise<number> {
  const startedAt = performance.now();
  const { messageId } = await sms.securityCodes.send({
    to: `+2517${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`,
  });
  for (;;) {
    const { rows } = await database.query<{ status: string }>('select status from messages where id = $1', [
      messageId,
    ]);
    if (rows[0]!.status !== 'queued') return performance.now() - startedAt;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function countEvents({ demo }: RunningService, workflowId: string): Promise<number> {
  const connection = await Connection.connect({ address: demo.temporalAddress });
  const description = await new TemporalClient({ connection }).workflow.getHandle(workflowId).describe();
  await connection.close();
  return description.historyLength;
}

/** The peak memory of a process, as Linux counts it. */
function peakMemory(processId: number): number {
  const status = readFileSync(`/proc/${processId}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
}
