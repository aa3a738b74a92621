import type { BulkSms } from 'sms-service-client';
import type { Context } from './context.ts';
import { columns } from './output.ts';
import { createProgress } from './progress.ts';

/**
 * Follows a batch until it has ended. With --json, each state is one line. Returns whether it is completed.
 */
export async function watchBatch(context: Context, batchId: string): Promise<boolean> {
  const { output, signal } = context;
  const progress = createProgress(output);
  const query = { organizationId: context.organizationId() };
  let last: BulkSms | undefined;
  for await (const batch of context.client().bulkSms.stream(batchId, query, { signal })) {
    last = batch;
    const { ledger, status, measuredRatePerSecond } = batch;
    const done = ledger.total - ledger.queued;
    const rate = measuredRatePerSecond === null ? '' : `, ${Math.round(measuredRatePerSecond)} a second`;
    progress.show({ done, total: ledger.total, label: `${done} of ${ledger.total}, ${status}${rate}` });
    if (output.isJson) output.event(batch, () => '');
  }
  progress.end();
  if (last === undefined) return false;
  if (!output.isJson) showBatch(context, last);
  return last.status === 'completed';
}

/** Writes a batch. */
export function showBatch({ output }: Context, batch: BulkSms): void {
  const { ledger, refused, failure } = batch;
  output.result(batch, () =>
    columns([
      ['id', batch.id],
      ['status', batch.status],
      ['from', batch.from],
      ...(batch.scheduledAt === null ? [] : [['scheduled', batch.scheduledAt]]),
      ...Object.entries(ledger).map(([name, count]) => [name, String(count)]),
      [
        'refused',
        `${refused.optedOut} opted out, ${refused.duplicates} duplicates, ${refused.invalid} invalid`,
      ],
      ...(failure === null ? [] : [['failure', failure.message]]),
    ]),
  );
}
