import type { Evidence, MessageRow } from '../../chaos/evidence.ts';

const events = ['message.accepted', 'message.sent', 'message.delivered'];

/** A delivered message without webhooks, unless other fields are given. */
export function messageRow(id: string, fields: Partial<MessageRow> = {}): MessageRow {
  const at = '2026-11-22T00:00:00.000Z';
  return {
    ...{ id, token: `token of ${id}`, status: 'delivered', errorCode: null, segments: 1 },
    ...{ webhookUrl: null, acceptedAt: at, sentAt: at, batchId: null, ...fields },
  };
}

/** A run in which everything went well: one message of each origin, and one with webhooks. */
export function makeEvidence(): Evidence {
  const messages = [
    messageRow('plain'),
    messageRow('hooked', { webhookUrl: 'http://127.0.0.1/webhooks' }),
    messageRow('code'),
    messageRow('scheduled', { token: null }),
    messageRow('bulk', { token: null, batchId: 'batch' }),
    messageRow('reply', { token: null }),
  ];
  const ids = messages.map(({ id }) => id);
  const send = (id: string, kind: 'message' | 'code', keyed: boolean) => ({
    ...{ token: `token of ${id}`, kind, keyed, hasWebhook: id === 'hooked', acceptedIds: [id] },
    ends: { status: 'delivered' },
  });
  const counts = {
    messages: 6,
    segments: 6,
    queued: 0,
    accepted: 0,
    sent: 0,
    delivered: 6,
    failed: 0,
    cancelled: 0,
  };
  return {
    ...{ unsettled: [], unexpectedAnswers: [], givenUp: [], callbacks: [], redrivenIds: ['d1'] },
    sends: [send('plain', 'message', false), send('hooked', 'message', true), send('code', 'code', true)],
    codes: [
      {
        verificationId: 'verification',
        guesses: [
          { isRight: false, valid: false, status: 'incorrect' },
          { isRight: true, valid: true, status: 'verified' },
          { isRight: true, valid: false, status: 'already_used' },
        ],
      },
    ],
    schedules: [{ id: 'schedule', occurrences: 1 }],
    batchIds: ['batch'],
    ...{ callbacks: [{ providerMessageId: 'phone', isAnswered: true }] },
    gateway: {
      taken: new Map(ids.map((id) => [id, 1])),
      submitted: new Map(ids.map((id) => [id, 1])),
      reports: ids.map((messageId) => ({ messageId, type: 1, lost: false, answers: [200] })),
    },
    received: events.map((event, index) => ({
      ...{ deliveryId: `d${index}`, messageId: 'hooked', event, atMs: index, body: event },
      ...{ isSigned: true, isConsistent: true, answer: 'ok' as const },
    })),
    rows: {
      messages,
      events: ids.flatMap((messageId) => [
        { messageId, kind: 'queued', status: 'queued', details: {} },
        {
          ...{ messageId, kind: 'submission_attempted', status: null },
          details: { attempt: 1, possibleDuplicate: false },
        },
        { messageId, kind: 'report_received', status: 'delivered', details: {} },
      ]),
      deliveries: events.map((event, index) => ({
        ...{ id: `d${index}`, messageId: 'hooked', event, position: index + 1, status: 'delivered' },
      })),
      attempts: events.map((_event, index) => ({
        ...{ deliveryId: `d${index}`, number: 1, responseStatus: 200, error: null, durationMs: 1 },
      })),
      codes: [{ id: 'verification', status: 'verified', attempts: 1 }],
      schedules: [
        {
          ...{ id: 'schedule', status: 'completed', created: 1, failed: 0, missed: 0, skipped: 0 },
          messageIds: ['scheduled'],
        },
      ],
      batches: [{ id: 'batch', status: 'completed', total: 1, recipients: 1, forgotten: 0, messages: 1 }],
      inbound: [{ providerMessageId: 'phone', status: 'processed', replies: 1 }],
    },
    looks: { count: 10, violations: [] },
    analytics: { shown: [{ ...counts }, { ...counts }], counted: counts },
    workflows: { idle: [], missing: [] },
    logs: { errors: [], telling: [] },
    made: [
      {
        fault: { kind: 'kill', target: 'worker-1', atMs: 0, durationMs: 0 },
        ...{ startedAtMs: 1000, endedAtMs: 1000 },
      },
    ],
  };
}
