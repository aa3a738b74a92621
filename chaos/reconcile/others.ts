import type { Evidence, Finding, MadeFault } from '../evidence.ts';

/** A code is verified at most once, by the right guess only; each answered wrong guess is counted. */
export function reconcileCodes({ codes, rows }: Evidence): Finding[] {
  const stored = new Map(rows.codes.map((row) => [row.id, row]));
  return codes.flatMap(({ verificationId, guesses }): Finding[] => {
    const row = stored.get(verificationId);
    if (!row) return [{ check: 'a 202 is a stored code', detail: `${verificationId} is not stored` }];
    const say = (check: string): Finding => ({
      check,
      detail: `${verificationId} is ${row.status} with ${row.attempts} attempts: ${JSON.stringify(guesses)}`,
    });
    const valid = guesses.filter((guess) => guess.valid === true);
    const wrong = guesses.filter(({ isRight, status }) => !isRight && status !== null).length;
    const mayBeCounted = guesses.filter(({ isRight }) => !isRight).length;
    return [
      ...(valid.length > 1 ? [say('a code is verified once')] : []),
      ...(valid.some(({ isRight }) => !isRight) ? [say('a wrong guess does not verify')] : []),
      ...(guesses.some(({ isRight, status }) => isRight && status === 'incorrect')
        ? [say('a right guess verifies')]
        : []),
      ...(valid.length > 0 && row.status !== 'verified' ? [say('a verified code stays verified')] : []),
      ...(row.status === 'pending' && (row.attempts < wrong || row.attempts > mayBeCounted)
        ? [say('guesses are counted exactly')]
        : []),
    ];
  });
}

/** Each occurrence of a schedule makes one message. */
export function reconcileSchedules({ schedules, rows }: Evidence): Finding[] {
  const stored = new Map(rows.schedules.map((row) => [row.id, row]));
  const messages = new Set(rows.messages.map(({ id }) => id));
  return schedules.flatMap(({ id, occurrences }): Finding[] => {
    const row = stored.get(id);
    if (!row) return [{ check: 'a 201 is a stored schedule', detail: `${id} is not stored` }];
    const { status, created, failed, missed, skipped, messageIds } = row;
    const made = messageIds.filter((messageId) => messages.has(messageId)).length;
    const isComplete =
      status === 'completed' &&
      made === occurrences &&
      created === occurrences &&
      failed + missed + skipped === 0;
    return isComplete
      ? []
      : [
          {
            check: 'each occurrence makes one message',
            detail: `${id}: ${occurrences} occurrences, ${made} messages, ${JSON.stringify(row)}`,
          },
        ];
  });
}

/** A batch is completed, and each recipient has one message or a refusal. */
export function reconcileBatches({ batchIds, rows }: Evidence): Finding[] {
  const stored = new Map(rows.batches.map((row) => [row.id, row]));
  return [
    ...batchIds.flatMap((id) =>
      stored.has(id) ? [] : [{ check: 'a 202 is a stored batch', detail: `${id} is not stored` }],
    ),
    ...rows.batches.flatMap((row): Finding[] => {
      const isComplete = row.status === 'completed' && row.forgotten === 0 && row.messages === row.recipients;
      return isComplete && row.total === row.recipients
        ? []
        : [{ check: 'a batch sends each recipient one message', detail: JSON.stringify(row) }];
    }),
  ];
}

/** A message from a phone is stored once and processed, and a keyword is answered once. */
export function reconcileInbound({ callbacks, rows }: Evidence): Finding[] {
  const stored = Map.groupBy(rows.inbound, ({ providerMessageId }) => providerMessageId);
  return callbacks.flatMap(({ providerMessageId, isAnswered }): Finding[] => {
    const ofCallback = stored.get(providerMessageId) ?? [];
    const [row] = ofCallback;
    if (!row || ofCallback.length > 1) {
      const detail = `${providerMessageId} is stored ${ofCallback.length} times`;
      return [{ check: 'a message from a phone is stored once', detail }];
    }
    const expected = isAnswered ? ['processed', 1] : ['unmatched', 0];
    return row.status === expected[0] && row.replies === expected[1]
      ? []
      : [{ check: 'a message from a phone is answered once', detail: JSON.stringify(row) }];
  });
}

/** A redrive that was answered with 200 leads to a delivered webhook. */
export function reconcileRedrives({ redrivenIds, rows }: Evidence): Finding[] {
  const statuses = new Map(rows.deliveries.map(({ id, status }) => [id, status]));
  return redrivenIds.flatMap((id) =>
    statuses.get(id) === 'delivered'
      ? []
      : [
          {
            check: 'a redriven webhook is delivered',
            detail: `${id} is ${statuses.get(id) ?? 'not stored'}`,
          },
        ],
  );
}

/** Ledgers balance at every look, and analytics are what the rows give. */
export function reconcileCounts({ looks, analytics }: Evidence): Finding[] {
  const { shown, counted } = analytics;
  return [
    ...looks.violations.map((detail) => ({ check: 'ledgers balance at every look', detail })),
    ...shown.flatMap((totals): Finding[] => {
      const different = Object.keys(counted).filter((name) => totals[name] !== counted[name]);
      return different.map((name) => ({
        check: 'analytics equal the rows',
        detail: `${name}: ${totals[name]} shown, ${counted[name]} counted`,
      }));
    }),
  ];
}

/** Everything has come to its end, and no process has given up. */
export function reconcileEnd(evidence: Evidence): Finding[] {
  const { unsettled, workflows, givenUp, unexpectedAnswers, logs, made } = evidence;
  // A process whose clock is ahead takes a time in the near future for one that is past.
  const isClockStepped = made.some(({ fault }) => fault.kind === 'step-clock');
  const unexplained = unexpectedAnswers.filter((one) => !(isClockStepped && one.includes('"in_the_past"')));
  const of = (check: string, details: string[]): Finding[] => details.map((detail) => ({ check, detail }));
  return [
    ...of('everything settles', unsettled),
    ...of('a workflow ends with its last row', workflows.idle),
    ...of('an open row has a workflow', workflows.missing),
    ...of('no process gives up', givenUp),
    ...of('a valid request is answered with a success or a 503', unexplained),
    ...of('no log shows a text or a number', logs.telling),
  ];
}

/** How long after a fault a log may still speak of it. */
const aftermathMs = 20_000;

/** Each line of level error in a log is explained by a fault: it is within its time, or shortly after. */
export function reconcileLogs({ logs, made }: Evidence): Finding[] {
  const isDuring = (atMs: number, { startedAtMs, endedAtMs }: MadeFault): boolean =>
    atMs >= startedAtMs && atMs <= endedAtMs + aftermathMs;
  return logs.errors.flatMap(({ process, atMs, line }) => {
    const isExplained = !isBug(line) && made.some((one) => isDuring(atMs, one));
    return isExplained ? [] : [{ check: 'each error in a log has a cause', detail: `${process}: ${line}` }];
  });
}

/** No fault explains a mistake of the program. */
function isBug(line: string): boolean {
  return /\b(TypeError|ReferenceError|RangeError|SyntaxError)\b|internal_error/.test(line);
}
