import type { Evidence } from '../../chaos/evidence.ts';
import { reconcile } from '../../chaos/reconcile/reconcile.ts';
import { countOutcome, describeSummary, summarizeRun } from '../../chaos/report.ts';
import { makeEvidence, messageRow } from './make-evidence.ts';

const checksOf = (evidence: Evidence): string[] => [
  ...new Set(reconcile(evidence).map(({ check }) => check)),
];

const without = (items: object[], index: number): void => void items.splice(index, 1);
const copyOf = <Item extends object>(item: Item, fields: Partial<Item>): Item => ({ ...item, ...fields });

test('a run in which everything went well has no findings', () => {
  expect(reconcile(makeEvidence())).toEqual([]);
});

test.each<[fault: string, check: string, plant: (evidence: Evidence) => void]>([
  ['a lost message', 'a 202 is a stored message', ({ rows }) => without(rows.messages, 0)],
  [
    'a message that is stuck',
    'every stored message comes to its end',
    ({ rows }) => void (rows.messages[0]!.status = 'accepted'),
  ],
  [
    'a failure without a reason',
    'a failed message has a reason',
    ({ rows }) => void (rows.messages[0]!.status = 'failed'),
  ],
  [
    'a delivery that nobody reported',
    'a message ends as the gateway reported',
    ({ sends }) => void (sends[0]!.ends = { status: 'failed', errorCode: 'undelivered' }),
  ],
  [
    'a second message of a key',
    'a key makes one message',
    ({ rows }) => void rows.messages.push(messageRow('second', { token: 'token of hooked' })),
  ],
  [
    'a second message of a request',
    'a request makes one message',
    ({ rows }) => void rows.messages.push(messageRow('second', { token: 'token of plain' })),
  ],
  ['a key with two answers', 'a key has one answer', ({ sends }) => void sends[1]!.acceptedIds.push('plain')],
  [
    'a submission that is repeated silently',
    'a duplicate submission has a doubt on the timeline',
    ({ gateway }) => void gateway.taken.set('plain', 2),
  ],
  [
    'a submission that is not on the timeline',
    'each submission is on the timeline',
    ({ gateway }) => void gateway.submitted.set('plain', 2),
  ],
  [
    'an accepted message that the gateway does not have',
    'an accepted message is at the gateway',
    ({ gateway }) => void gateway.taken.delete('plain'),
  ],
  [
    'a status that goes back',
    'a status never goes back',
    ({ rows }) => void rows.events.splice(2, 0, { ...rows.events[2]!, status: 'delivered' }),
  ],
  ['a timeline without its end', 'the timeline ends with the status', ({ rows }) => without(rows.events, 2)],
  [
    'a report that is refused',
    'each delivery report is taken',
    ({ gateway }) => void (gateway.reports[0]!.answers = [404]),
  ],
  [
    'a missing webhook',
    'the webhooks of a message are those that are due',
    ({ rows }) => without(rows.deliveries, 2),
  ],
  [
    'a webhook of a message that has none',
    'the webhooks of a message are those that are due',
    ({ rows }) => void (rows.messages[1]!.webhookUrl = null),
  ],
  [
    'a webhook that is dead',
    'each webhook is delivered',
    ({ rows }) => void (rows.deliveries[2]!.status = 'dead'),
  ],
  [
    'a webhook that was never received',
    'a delivered webhook was received',
    ({ received }) => void (received[2]!.answer = 'half'),
  ],
  [
    'a webhook that nobody stored',
    'a received webhook is stored',
    ({ received }) => void received.push(copyOf(received[0]!, { deliveryId: 'foreign' })),
  ],
  [
    'a wrong signature',
    'a webhook has a valid signature',
    ({ received }) => void (received[0]!.isSigned = false),
  ],
  [
    'a header that differs from the envelope',
    "a webhook's headers are those of its envelope",
    ({ received }) => void (received[0]!.isConsistent = false),
  ],
  [
    'a body that changes',
    'a webhook is the same at each attempt',
    ({ received }) => void received.push(copyOf(received[0]!, { body: 'changed' })),
  ],
  [
    'a wrong order',
    'the events of a message arrive in order',
    ({ received }) => void received.unshift(...received.splice(1, 1)),
  ],
  [
    'a webhook request without an attempt',
    'each webhook request is an attempt',
    ({ received }) => void received.push(copyOf(received[0]!, {})),
  ],
  [
    'a webhook that is repeated although it was taken',
    'a webhook that was taken is not repeated',
    ({ rows }) => void rows.attempts.push(copyOf(rows.attempts[0]!, { number: 2 })),
  ],
  [
    'a redrive without effect',
    'a redriven webhook is delivered',
    ({ rows }) => void (rows.deliveries[1]!.status = 'dead'),
  ],
  ['a lost code', 'a 202 is a stored code', ({ rows }) => without(rows.codes, 0)],
  [
    'a code that verifies twice',
    'a code is verified once',
    ({ codes }) => void (codes[0]!.guesses[2]!.valid = true),
  ],
  [
    'a wrong guess that verifies',
    'a wrong guess does not verify',
    ({ codes }) => void (codes[0]!.guesses[0]!.valid = true),
  ],
  [
    'a right guess that is refused',
    'a right guess verifies',
    ({ codes }) => void (codes[0]!.guesses[1] = { isRight: true, valid: false, status: 'incorrect' }),
  ],
  [
    'a verification that is forgotten',
    'a verified code stays verified',
    ({ rows }) => void (rows.codes[0]!.status = 'pending'),
  ],
  [
    'a guess that is not counted',
    'guesses are counted exactly',
    ({ codes, rows }) => {
      codes[0]!.guesses.length = 1;
      Object.assign(rows.codes[0]!, { status: 'pending', attempts: 0 });
    },
  ],
  [
    'a lost occurrence',
    'each occurrence makes one message',
    ({ rows }) => void (rows.schedules[0]!.messageIds = []),
  ],
  [
    'an occurrence that is sent twice',
    'each occurrence makes one message',
    ({ rows }) => void rows.schedules[0]!.messageIds.push('reply'),
  ],
  ['a lost schedule', 'a 201 is a stored schedule', ({ rows }) => without(rows.schedules, 0)],
  ['a lost batch', 'a 202 is a stored batch', ({ rows }) => without(rows.batches, 0)],
  [
    'a recipient without a message',
    'a batch sends each recipient one message',
    ({ rows }) => void (rows.batches[0]!.forgotten = 1),
  ],
  [
    'a recipient with two messages',
    'a batch sends each recipient one message',
    ({ rows }) => void (rows.batches[0]!.messages = 2),
  ],
  [
    'a message from a phone that is lost',
    'a message from a phone is stored once',
    ({ rows }) => without(rows.inbound, 0),
  ],
  [
    'a keyword that is answered twice',
    'a message from a phone is answered once',
    ({ rows }) => void (rows.inbound[0]!.replies = 2),
  ],
  [
    'an unbalanced ledger',
    'ledgers balance at every look',
    ({ looks }) => void looks.violations.push('the ledger of batch x: {"total":2,"delivered":1}'),
  ],
  [
    'analytics that count a message twice',
    'analytics equal the rows',
    ({ analytics }) => void (analytics.shown[1]!['delivered'] = 7),
  ],
  [
    'an error after the faults',
    'each error in a log has a cause',
    ({ logs }) => void logs.errors.push({ process: 'api-1', atMs: 60_000, line: '{"level":50}' }),
  ],
  [
    'a mistake of the program during a fault',
    'each error in a log has a cause',
    ({ logs }) => void logs.errors.push({ process: 'api-1', atMs: 1000, line: '{"type":"TypeError"}' }),
  ],
  [
    'a workflow that never ends',
    'a workflow ends with its last row',
    ({ workflows }) => void workflows.idle.push('messages/plain'),
  ],
  [
    'an open row without a workflow',
    'an open row has a workflow',
    ({ workflows }) => void workflows.missing.push('messages/plain'),
  ],
  ['something stuck', 'everything settles', ({ unsettled }) => void unsettled.push('1 messages')],
  [
    'a 500',
    'a valid request is answered with a success or a 503',
    ({ unexpectedAnswers }) => void unexpectedAnswers.push('POST /api/v1/messages: 500'),
  ],
  [
    'a number in a log',
    'no log shows a text or a number',
    ({ logs }) => void logs.telling.push('api-1: +251911800001'),
  ],
  ['a process that gives up', 'no process gives up', ({ givenUp }) => void givenUp.push('api-1')],
])('%s is found: %s', (_fault, check, plant) => {
  const evidence = makeEvidence();
  plant(evidence);
  expect(checksOf(evidence)).toContain(check);
});

test.each<[explanation: string, change: (evidence: Evidence) => void]>([
  [
    'a duplicate with a doubt on the timeline',
    ({ gateway, rows }) => {
      gateway.taken.set('plain', 2);
      gateway.submitted.set('plain', 2);
      const details = { attempt: 2, possibleDuplicate: true };
      rows.events.splice(2, 0, { messageId: 'plain', kind: 'submission_attempted', status: null, details });
    },
  ],
  [
    'a message that failed because its reports were lost',
    ({ gateway, rows }) => {
      gateway.reports[0]!.lost = true;
      Object.assign(rows.messages[0]!, { status: 'failed', errorCode: 'dlr_timeout' });
      rows.events[2]!.status = 'failed';
    },
  ],
  [
    'a later event that arrived first because the first attempt of the earlier one failed',
    ({ received, rows }) => {
      received.unshift(...received.splice(1, 1));
      const [first] = rows.attempts;
      rows.attempts[0] = copyOf(first!, { responseStatus: null, error: 'connection_refused' });
      rows.attempts.push(copyOf(first!, { number: 2 }));
    },
  ],
  [
    'an error in a log shortly after a fault',
    ({ logs }) => void logs.errors.push({ process: 'api-1', atMs: 5000, line: '{"level":50}' }),
  ],
])('%s is no finding', (_explanation, change) => {
  const evidence = makeEvidence();
  change(evidence);
  expect(reconcile(evidence)).toEqual([]);
});

test('a finding is shown with the seed and the command that repeats the run', () => {
  const evidence = makeEvidence();
  without(evidence.rows.messages, 0);
  const summary = summarizeRun({
    options: { seed: 4711, minutes: 1, ratePerSecond: 20, gatewayName: 'kannel', temporalName: 'postgresql' },
    ...{ evidence, findings: reconcile(evidence), leftOut: [] },
    settled: { unsettled: [], seconds: 3, shortened: 0, workflows: { idle: [], missing: [] } },
  });
  expect(summary.findings[0]!.detail).toContain('plain');
  expect(describeSummary(summary)).toContain(
    'npm run chaos -- --seed 4711 --minutes 1 --rate 20 --gateway kannel --temporal postgresql',
  );
});

describe('the outcome in numbers', () => {
  const outcomeOf = (plant: (evidence: Evidence) => void): ReturnType<typeof countOutcome> => {
    const evidence = makeEvidence();
    plant(evidence);
    return countOutcome(4711, evidence, reconcile(evidence));
  };
  const good = outcomeOf(() => undefined);

  test('of a good run has nothing lost, stuck or unexplained, and all that was accepted is settled', () => {
    expect(good).toMatchObject({ seed: 4711, lost: 0, stuck: 0, unexplained: 0 });
    expect(good.accepted).toBeGreaterThan(0);
    expect(good.settled).toBe(good.accepted);
  });

  test('counts a message that is not stored as lost', () => {
    const outcome = outcomeOf(({ rows }) => without(rows.messages, 0));
    expect(outcome.lost).toBe(1);
    expect(outcome.settled).toBe(good.settled - 1);
  });

  test('counts a message without an end as stuck', () => {
    const outcome = outcomeOf(({ rows }) => void (rows.messages[0]!.status = 'accepted'));
    expect(outcome.stuck).toBe(1);
    expect(outcome.settled).toBe(good.settled - 1);
  });

  test('counts a silent duplicate as a duplicate and as unexplained', () => {
    const outcome = outcomeOf(({ gateway }) => void gateway.taken.set('plain', 2));
    expect(outcome).toMatchObject({ duplicates: good.duplicates + 1, unexplained: 1, lost: 0, stuck: 0 });
  });
});
