import {
  batchFailures,
  bulkBatchStatuses,
  explainState,
  isFinalBatch,
  statusesFor,
  type BulkBatchAction,
  type BulkBatchStatus,
} from '../../src/bulk-sms/bulk-batch-status.ts';

const open: BulkBatchStatus[] = ['pending', 'scheduled', 'processing', 'paused'];

test.each<[BulkBatchAction, BulkBatchStatus[]]>([
  ['start', ['scheduled']],
  ['pause', ['processing']],
  ['resume', ['paused']],
  ['change the rate of', open],
  ['cancel', open],
])('%s is possible in %p only', (action, statuses) => {
  expect(statusesFor(action)).toEqual(statuses);
});

test.each<[BulkBatchStatus, isFinal: boolean, sentence: string]>([
  ['pending', false, 'The batch is pending. You can change the rate of or cancel it.'],
  ['scheduled', false, 'The batch is scheduled. You can start, change the rate of, or cancel it.'],
  ['processing', false, 'The batch is processing. You can pause, change the rate of, or cancel it.'],
  ['paused', false, 'The batch is paused. You can resume, change the rate of, or cancel it.'],
  ['completed', true, 'The batch is completed. No action is possible any more.'],
  ['cancelled', true, 'The batch is cancelled. No action is possible any more.'],
  ['failed', true, 'The batch is failed. No action is possible any more.'],
])('%s: final is %p, and the error says what is possible', (status, isFinal, sentence) => {
  expect(isFinalBatch(status)).toBe(isFinal);
  expect(explainState(status)).toBe(sentence);
});

test('every status has its row above, and every failure a sentence', () => {
  expect(bulkBatchStatuses).toHaveLength(7);
  for (const sentence of Object.values(batchFailures)) expect(sentence).toMatch(/^The .+\.$/s);
});
