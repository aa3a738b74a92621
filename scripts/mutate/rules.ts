/** A file of pure rules, and the tests that state them. The tests need neither a database nor Temporal. */
export interface Rule {
  source: string;
  tests: string[];
}

export const rules: Rule[] = [
  { source: 'src/messages/message-status.ts', tests: ['test/messages/message-status.test.ts'] },
  { source: 'src/messages/segments.ts', tests: ['test/messages/segments.test.ts'] },
  { source: 'src/messages/recipient.ts', tests: ['test/messages/recipient.test.ts'] },
  {
    source: 'src/messages/submission/submission-retry.ts',
    tests: ['test/messages/submission-retry.test.ts'],
  },
  { source: 'src/schedules/recurrence.ts', tests: ['test/schedules/recurrence.test.ts'] },
  { source: 'src/templates/merge-fields.ts', tests: ['test/templates/merge-fields.test.ts'] },
  { source: 'src/auth/permissions.ts', tests: ['test/auth/permissions.test.ts'] },
  { source: 'src/idempotency/idempotency-key-use.ts', tests: ['test/idempotency/digest-body.test.ts'] },
  { source: 'src/webhooks/attempts/signature.ts', tests: ['test/webhooks/signature.test.ts'] },
  { source: 'src/webhooks/attempts/retry-schedule.ts', tests: ['test/webhooks/retry-schedule.test.ts'] },
  { source: 'src/rate-limits/shares.ts', tests: ['test/rate-limits/shares.test.ts'] },
  { source: 'src/gateway/delivery-report.ts', tests: ['test/gateway/delivery-report.test.ts'] },
  { source: 'src/bulk-sms/bulk-batch-status.ts', tests: ['test/bulk-sms/bulk-batch-status.test.ts'] },
];
