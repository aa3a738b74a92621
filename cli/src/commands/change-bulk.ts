import { defineCommand } from '../command.ts';
import { showBatch, watchBatch } from '../watch-batch.ts';

const batchId = [{ name: 'ID', description: 'The id of the batch.' }] as const;
const exampleId = '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b13';

export const listBulk = defineCommand({
  name: 'bulk list',
  summary: 'Lists batches, newest first.',
  options: { limit: { type: 'integer', value: 'COUNT', description: 'How many at most. Default 20.' } },
  examples: ['sms bulk list'],
  run: async (context, { options: { limit = 20 } }) => {
    const { output, signal } = context;
    const query = { limit: Math.min(limit, 200), organizationId: context.organizationId() };
    let count = 0;
    for await (const batch of context.client().bulkSms.list(query, { signal })) {
      const { id, status, createdAt, ledger } = batch;
      output.event(
        batch,
        () => `${id}  ${createdAt}  ${status}  ${ledger.delivered} of ${ledger.total} delivered`,
      );
      count += 1;
      if (count === limit) break;
    }
    if (count === 0) output.note('There are no batches.');
  },
});

export const watchBulk = defineCommand({
  name: 'bulk watch',
  summary: 'Shows the progress of a batch until it has ended.',
  description: ['With --json, each state is one line. The command fails unless the batch is completed.'],
  arguments: batchId,
  examples: [`sms bulk watch ${exampleId}`],
  run: async (context, { args: [id = ''] }) => watchBatch(context, id),
});

export const pauseBulk = defineCommand({
  name: 'bulk pause',
  summary: 'Pauses a batch that is being sent.',
  arguments: batchId,
  examples: [`sms bulk pause ${exampleId}`],
  run: async (context, { args: [id = ''] }) => {
    const { signal } = context;
    const body = { organizationId: context.organizationId() };
    showBatch(context, await context.client().bulkSms.pause(id, body, { signal }));
  },
});

export const resumeBulk = defineCommand({
  name: 'bulk resume',
  summary: 'Resumes a paused batch.',
  arguments: batchId,
  examples: [`sms bulk resume ${exampleId}`],
  run: async (context, { args: [id = ''] }) => {
    const { signal } = context;
    const body = { organizationId: context.organizationId() };
    showBatch(context, await context.client().bulkSms.resume(id, body, { signal }));
  },
});

export const cancelBulk = defineCommand({
  name: 'bulk cancel',
  summary: 'Cancels a batch: what has not been submitted is not sent.',
  arguments: batchId,
  examples: [`sms bulk cancel ${exampleId}`],
  run: async (context, { args: [id = ''] }) => {
    const { signal } = context;
    const { bulkSms } = context.client();
    const query = { organizationId: context.organizationId() };
    await bulkSms.cancel(id, query, { signal });
    showBatch(context, await bulkSms.get(id, query, { signal }));
  },
});
