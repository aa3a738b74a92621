import * as fc from 'fast-check';
import type { DeliveryReport } from '../../src/gateway/delivery-report.ts';
import {
  applyTransition,
  defaultValidityMs,
  effectiveTime,
  isFinal,
  messageStatuses,
  reportDeadlineMs,
  type MessageTransition,
  type MessageState,
  type MessageStatus,
} from '../../src/messages/message-status.ts';

const queued: MessageState = {
  status: 'queued',
  acceptedAt: null,
  sentAt: null,
  deliveredAt: null,
  failedAt: null,
  providerMessageId: null,
  errorCode: null,
  errorMessage: null,
  dueAt: new Date(0),
  attempts: 1,
  outcomeUnknown: true,
};

const report = (value: DeliveryReport, providerMessageId: string | null = null): MessageTransition => ({
  kind: 'report',
  report: value,
  providerMessageId,
});
const accepted: MessageTransition = { kind: 'accepted_by_gateway' };
const refused: MessageTransition = { kind: 'refused_by_gateway', errorCode: 'not_routable' };
const unavailable: MessageTransition = {
  ...{ kind: 'gateway_unavailable', attempt: 1, wasInDoubt: false },
  retryAt: new Date(99_000),
};
const lost: MessageTransition = {
  ...{ kind: 'outcome_unknown', attempt: 1 },
  retryAt: new Date(60_000),
};
const tooOld: MessageTransition = { kind: 'expired', errorCode: 'validity_expired' };
const suppressed: MessageTransition = { kind: 'suppressed' };
const contentRefused: MessageTransition = { kind: 'content_refused' };
const destinationRefused: MessageTransition = { kind: 'destination_refused' };
const unreported: MessageTransition = { kind: 'expired', errorCode: 'dlr_timeout' };

/** Applies facts a second apart, and tells the statuses that were passed through. */
function run(happenings: MessageTransition[], from: MessageState = queued) {
  let state = from;
  const passed: MessageStatus[] = [];
  happenings.forEach((transition, index) => {
    const result = applyTransition(state, transition, new Date((index + 1) * 1000));
    passed.push(...result.steps.map((step) => step.status));
    state = result.state;
  });
  return { state, passed };
}

// prettier-ignore
const table: [story: string, happenings: MessageTransition[], passed: MessageStatus[], errorCode: string | null][] = [
  ['the ordinary way', [accepted, report('smsc_accepted'), report('delivered')], ['accepted', 'sent', 'delivered'], null],
  ['buffered counts as sent, once', [accepted, report('buffered'), report('smsc_accepted'), report('buffered')], ['accepted', 'sent'], null],
  ['1 without 8', [accepted, report('delivered')], ['accepted', 'sent', 'delivered'], null],
  ['8 before the answer', [report('smsc_accepted'), accepted], ['accepted', 'sent'], null],
  ['1 before the answer', [report('delivered'), accepted], ['accepted', 'sent', 'delivered'], null],
  ['1 before 8', [accepted, report('delivered'), report('smsc_accepted')], ['accepted', 'sent', 'delivered'], null],
  ['every report twice', [accepted, report('smsc_accepted'), report('smsc_accepted'), report('delivered'), report('delivered')], ['accepted', 'sent', 'delivered'], null],
  ['undelivered', [accepted, report('smsc_accepted'), report('undelivered')], ['accepted', 'sent', 'failed'], 'undelivered'],
  ['undelivered without 8', [accepted, report('undelivered')], ['accepted', 'sent', 'failed'], 'undelivered'],
  ['refused by the SMSC', [accepted, report('smsc_rejected')], ['accepted', 'failed'], 'smsc_rejected'],
  ['refused by the SMSC before the answer', [report('smsc_rejected'), accepted], ['accepted', 'failed'], 'smsc_rejected'],
  ['delivered stays so', [accepted, report('delivered'), report('undelivered'), unreported], ['accepted', 'sent', 'delivered'], null],
  ['failed stays so', [accepted, report('undelivered'), report('delivered')], ['accepted', 'sent', 'failed'], 'undelivered'],
  ['refused by the gateway', [refused], ['failed'], 'not_routable'],
  ['a refusal of a repetition, after a report', [report('smsc_accepted'), refused], ['accepted', 'sent'], null],
  ['unknown reports', [accepted, report('unknown')], ['accepted'], null],
  ['no report in time', [accepted, unreported], ['accepted', 'failed'], 'dlr_timeout'],
  ['no final report in time', [accepted, report('smsc_accepted'), unreported], ['accepted', 'sent', 'failed'], 'dlr_timeout'],
  ['validity over', [unavailable, tooOld], ['failed'], 'validity_expired'],
  ['validity over once submitted', [accepted, tooOld], ['accepted'], null],
  ['opted out before submission', [unavailable, suppressed], ['failed'], 'recipient_opted_out'],
  ['opted out once submitted', [accepted, suppressed, report('delivered')], ['accepted', 'sent', 'delivered'], null],
  ['text refused before submission', [unavailable, contentRefused], ['failed'], 'content_refused'],
  ['destination refused before submission', [unavailable, destinationRefused], ['failed'], 'destination_not_allowed'],
  ['destination refused once submitted', [accepted, destinationRefused, report('delivered')], ['accepted', 'sent', 'delivered'], null],
  ['dlr_timeout before submission', [unreported], [], null],
  ['busy, then taken', [unavailable, unavailable, accepted], ['accepted'], null],
  ['lost, then reported', [lost, report('smsc_accepted')], ['accepted', 'sent'], null],
];

test.each(table)('%s', (_story, happenings, passed, errorCode) => {
  const { state, passed: seen } = run(happenings);
  expect(seen).toEqual(passed);
  expect(state.errorCode).toBe(errorCode);
  expect(state.errorMessage === null).toBe(errorCode === null);
});

test('a report’s deadline runs from the moment the gateway is known to have the message, and is set once', () => {
  const { state } = run([accepted, report('smsc_accepted')]);
  expect(state.dueAt).toEqual(new Date(1000 + reportDeadlineMs));
});

test('a gateway that is unavailable puts the next attempt off and ends the doubt', () => {
  expect(run([unavailable]).state).toMatchObject({
    status: 'queued',
    dueAt: new Date(99_000),
    outcomeUnknown: false,
  });
});

test('a gateway that is unavailable for a repetition does not end the doubt about an earlier attempt', () => {
  const { state } = run([{ ...unavailable, wasInDoubt: true }]);
  expect(state).toMatchObject({ status: 'queued', dueAt: new Date(99_000), outcomeUnknown: true });
});

test.each([unavailable, lost])(
  'an outcome ($kind) that is known only after the next attempt was claimed changes nothing',
  (outcome) => {
    const claimedAgain = { ...queued, attempts: 2 };
    expect(run([outcome], claimedAgain).state).toBe(claimedAgain);
  },
);

test('an unknown outcome leaves the submission in doubt until the time of the next attempt', () => {
  expect(run([lost]).state).toMatchObject({
    status: 'queued',
    outcomeUnknown: true,
    dueAt: new Date(60_000),
  });
});

test('the provider’s id is that of the first report that has one', () => {
  const first = report('smsc_accepted', null);
  expect(
    run([accepted, first, report('delivered', 'b'), report('delivered', 'c')]).state.providerMessageId,
  ).toBe('b');
});

const anyHappening = fc.constantFrom<MessageTransition>(
  accepted,
  refused,
  unavailable,
  lost,
  tooOld,
  unreported,
  ...(['delivered', 'undelivered', 'buffered', 'smsc_accepted', 'smsc_rejected', 'unknown'] as const).map(
    (r) => report(r),
  ),
);
const rank = { queued: 0, accepted: 1, sent: 2, delivered: 3, failed: 3, cancelled: 3 };

test('whatever happens in whatever order: the status never goes back, and a final one stays', () => {
  fc.assert(
    fc.property(fc.array(anyHappening, { maxLength: 12 }), (happenings) => {
      let state = queued;
      for (const [index, transition] of happenings.entries()) {
        const { state: next, steps } = applyTransition(state, transition, new Date((index + 1) * 1000));
        expect(rank[next.status]).toBeGreaterThanOrEqual(rank[state.status]);
        if (isFinal(state.status)) expect(next).toBe(state);
        expect(steps.map(({ status }) => rank[status])).toEqual(
          [...new Set(steps.map(({ status }) => rank[status]))].toSorted((a, b) => a - b),
        );
        state = next;
      }
      expect(isFinal(state.status)).toBe(state.dueAt === null);
    }),
  );
});

const observedFact = fc.tuple(anyHappening, fc.nat(10_000));

test('timestamps are set just for the statuses passed, in their order, even if facts are recorded late', () => {
  fc.assert(
    fc.property(fc.array(observedFact, { maxLength: 12 }), (facts) => {
      let state = queued;
      const passed: MessageStatus[] = [];
      for (const [transition, ms] of facts) {
        const result = applyTransition(state, transition, effectiveTime(state, new Date(ms)));
        passed.push(...result.steps.map((step) => step.status));
        state = result.state;
      }
      for (const status of ['accepted', 'sent', 'delivered', 'failed'] as const) {
        expect(state[`${status}At`] !== null).toBe(passed.includes(status));
      }
      const times = [state.acceptedAt, state.sentAt, state.deliveredAt ?? state.failedAt].flatMap(
        (at) => at?.getTime() ?? [],
      );
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }),
  );
});

// prettier-ignore
const cancellations: [story: string, from: Partial<MessageState>, status: MessageStatus][] = [
  ['queued', { outcomeUnknown: false }, 'cancelled'],
  ['queued, and perhaps submitted', { outcomeUnknown: true }, 'queued'],
  ['accepted', { status: 'accepted', outcomeUnknown: false }, 'accepted'],
  ['accepted, and in doubt', { status: 'accepted', outcomeUnknown: true }, 'accepted'],
];

test.each(cancellations)('a cancellation of a message that is %s', (_story, from, status) => {
  const before = { ...queued, ...from };
  const { state, steps } = applyTransition(before, { kind: 'cancelled' }, new Date(1000));
  const after = { ...before, status, dueAt: status === 'cancelled' ? null : before.dueAt };
  expect(state).toEqual(after);
  expect(steps).toEqual(status === 'cancelled' ? [after] : []);
});

// prettier-ignore
const ignored: [story: string, from: Partial<MessageState>, transition: MessageTransition][] = [
  ['a report after the end', { status: 'delivered' }, report('undelivered')],
  ['a refusal after it was taken', { status: 'sent' }, refused],
  ['an outcome of an earlier attempt', { attempts: 2 }, unavailable],
  ['a lost answer of an earlier attempt', { attempts: 2 }, lost],
  ['a lost answer after it was taken', { status: 'accepted' }, lost],
  ['a suppression after it was taken', { status: 'accepted' }, suppressed],
  ['a refused destination after it was taken', { status: 'accepted' }, destinationRefused],
  ['the end of the validity after it was taken', { status: 'accepted' }, tooOld],
];

test.each(ignored)('%s changes nothing', (_story, from, transition) => {
  const before = { ...queued, ...from };
  expect(applyTransition(before, transition, new Date(1000))).toEqual({ state: before, steps: [] });
});

test.each([reportDeadlineMs, defaultValidityMs])(
  'a wait for the gateway or a report lasts 72 hours',
  (ms) => {
    expect(ms).toBe(259_200_000);
  },
);

test('delivered, failed and cancelled are final, and no other status is', () => {
  expect(messageStatuses.filter(isFinal)).toEqual(['delivered', 'failed', 'cancelled']);
});

// prettier-ignore
const effects: [story: string, acceptedAt: number | null, sentAt: number | null, observedAt: number, at: number][] = [
  ['no step was made yet', null, null, 5, 5],
  ['it was observed after both steps', 1, 3, 5, 5],
  ['it was observed after the only step', 1, null, 5, 5],
  ['it was observed before the only step', 7, null, 5, 7],
  ['it was observed between the steps', 1, 7, 5, 7],
  ['it was observed before both steps', 7, 9, 5, 9],
];

test.each(effects)('the time of a fact, if %s', (_story, acceptedAt, sentAt, observedAt, at) => {
  const date = (ms: number | null) => (ms === null ? null : new Date(ms));
  const steps = { acceptedAt: date(acceptedAt), sentAt: date(sentAt) };
  expect(effectiveTime(steps, new Date(observedAt))).toEqual(new Date(at));
});

test('a report that means nothing makes no step', () => {
  expect(applyTransition(queued, report('unknown'), new Date(1000))).toEqual({ state: queued, steps: [] });
});

test('buffered counts as sent, also for a message that was queued', () => {
  expect(run([report('buffered')]).passed).toEqual(['accepted', 'sent']);
});

test('a message that is taken or has failed is no longer in doubt', () => {
  for (const transition of [accepted, report('delivered'), refused, tooOld])
    expect(run([transition]).state.outcomeUnknown).toBe(false);
});
