import { isSignedWith, startWebhookReceiver } from '../webhook-receiver.ts';
import { perSecond, waitFor } from '../load.ts';
import { costOf, readUsage } from '../usage.ts';
import { measurePostLoop } from '../yardsticks.ts';
import { postMessages, waitForStatus, type Bench, type Figure } from './scenario.ts';
import { sendReports, withoutReport } from './reports.ts';

const secret = 'webhook-secret-of-the-bench';

/**
 * Delivers two webhooks for each message. The worker is stopped until all of them are stored, so that this measures
 * webhooks alone: claimed, signed, sent, recorded, and in order for each message.
 */
export async function webhooksRound(bench: Bench): Promise<Figure[]> {
  const { service, database, operations } = bench;
  const { demo } = service;
  const receiver = await startWebhookReceiver();
  try {
    const webhook = { url: receiver.baseUrl, secret };
    const ids = await postMessages(bench, operations, {
      apiKey: demo.testApiKey,
      to: withoutReport,
      webhook,
    });
    await waitForStatus(bench, ids, 'accepted');
    await waitFor('the first webhooks', () => receiver.received.length === operations);
    const yardstick = await measurePostLoop(
      receiver.baseUrl,
      2 * operations,
      receiver.received[0]!.rawBody.toString(),
    );

    const worker = service.processId('worker')!;
    process.kill(worker, 'SIGSTOP');
    await sendReports(demo, ids, 8);
    await sendReports(demo, ids, 1);
    receiver.received.length = 0;
    const before = await readUsage(service, database);
    const startedAt = performance.now();
    process.kill(worker, 'SIGCONT');
    await waitFor('all webhooks', () => receiver.received.length >= 2 * operations);
    const value = perSecond(2 * operations, startedAt);
    const { cpuMicroseconds } = costOf(2 * operations, before, await readUsage(service, database));
    checkWebhooks(receiver.received, ids);
    return [
      { name: 'webhooks delivered', unit: '/s', value, yardstick },
      { name: 'worker: CPU a webhook', unit: 'µs', value: cpuMicroseconds.worker },
    ];
  } finally {
    process.kill(service.processId('worker')!, 'SIGCONT');
    await receiver.stop();
  }
}

/** Throws unless each message got both events, in order, with a valid signature, and none twice. */
function checkWebhooks(received: Parameters<typeof isSignedWith>[1][], ids: string[]): void {
  const eventsOf = new Map<unknown, string[]>();
  for (const webhook of received) {
    if (!isSignedWith(secret, webhook)) throw new Error('The signature of a webhook is wrong.');
    const { event, data } = webhook.envelope;
    eventsOf.set(data['id'], [...(eventsOf.get(data['id']) ?? []), event]);
  }
  for (const id of ids) {
    const events = eventsOf.get(id)?.join();
    if (events !== 'message.sent,message.delivered') throw new Error(`The webhooks of ${id}: ${events}.`);
  }
}
