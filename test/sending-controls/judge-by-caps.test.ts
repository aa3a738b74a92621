import * as fc from 'fast-check';
import {
  capsOn,
  describeCap,
  judgeByCaps,
  keyOfCount,
  type Cap,
  type SendingCaps,
} from '../../src/sending-controls/sending-caps.ts';

const none: SendingCaps = {
  messagesPerHour: null,
  recipientMessagesPerHour: null,
  recipientMessagesPerDay: null,
  prefixCaps: null,
  newOrganizationMessagesPerDay: null,
  newUntil: null,
};
const at = new Date('2026-11-23T10:59:59.999Z');
const message = { recipient: '+251911234567', recipientHash: 'h', at };
const hour = ['2026-11-23T10:00:00.000Z', '2026-11-23T11:00:00.000Z'];
const day = ['2026-11-23T00:00:00.000Z', '2026-11-24T00:00:00.000Z'];

test.each<
  [what: string, caps: Partial<SendingCaps>, expected: [scope: string, limit: number, window: string[]][]]
>([
  ['no caps', {}, []],
  ['an hour of the organization', { messagesPerHour: 5 }, [['organization', 5, hour]]],
  ['an hour of the number', { recipientMessagesPerHour: 2 }, [['recipient h', 2, hour]]],
  ['a day of the number', { recipientMessagesPerDay: 3 }, [['recipient by day h', 3, day]]],
  ['a day of a new organization', { newOrganizationMessagesPerDay: 9 }, [['new organization', 9, day]]],
  [
    'every prefix of the number, and no other',
    {
      prefixCaps: [
        { prefix: '+', messagesPerHour: 9 },
        { prefix: '+2519', messagesPerHour: 4 },
        { prefix: '+254', messagesPerHour: 1 },
      ],
    },
    [
      ['prefix +', 9, hour],
      ['prefix +2519', 4, hour],
    ],
  ],
])('a message counts for %s', (_what, caps, expected) => {
  expect(
    capsOn(message, { ...none, ...caps }).map(({ scope, limit, windowStart, windowEnd }) => [
      scope,
      limit,
      [windowStart.toISOString(), windowEnd.toISOString()],
    ]),
  ).toEqual(expected);
});

test.each<[scope: Partial<SendingCaps>, sentence: string]>([
  [{ messagesPerHour: 5 }, 'At most 5 live messages of the organization are allowed in an hour.'],
  [{ recipientMessagesPerDay: 3 }, 'At most 3 live messages to this number are allowed in a day (UTC).'],
  [
    { prefixCaps: [{ prefix: '+251', messagesPerHour: 4 }] },
    'At most 4 live messages to numbers with +251 are allowed in an hour.',
  ],
  [
    { newOrganizationMessagesPerDay: 9 },
    'At most 9 live messages of a new organization are allowed in a day (UTC).',
  ],
])('%j is explained: %s', (caps, sentence) => {
  expect(capsOn(message, { ...none, ...caps }).map(describeCap)).toEqual([sentence]);
});

test('the next hour counts anew', () => {
  const caps = { ...none, messagesPerHour: 1 };
  const [before] = capsOn(message, caps);
  const [after] = capsOn({ ...message, at: new Date(at.getTime() + 1) }, caps);
  expect(keyOfCount('o', before!)).not.toBe(keyOfCount('o', after!));
});

const cap = (scope: string, limit: number, windowEnd = hour[1]!): Cap => ({
  scope,
  limit,
  windowStart: new Date(hour[0]!),
  windowEnd: new Date(windowEnd),
});
const of = (...caps: Cap[]) => ({ organizationId: 'o', caps });

test('a message that one cap refuses takes no room of another', () => {
  const verdicts = judgeByCaps(
    [of(cap('a', 1), cap('b', 9)), of(cap('a', 1), cap('b', 9)), of(cap('b', 2)), of(cap('b', 2))],
    new Map(),
  );
  expect(verdicts.map(({ isWithin }) => isWithin)).toEqual([true, false, true, false]);
});

test('of several caps that are reached, the one with the longest wait is named', () => {
  const later = cap('day', 1, day[1]);
  const used = new Map(['a', 'day'].map((scope) => [keyOfCount('o', cap(scope, 1)), 1]));
  expect(judgeByCaps([of(cap('a', 1), later, cap('a', 1))], used)).toEqual([
    { isWithin: false, reached: later },
  ]);
});

test('a cap that was lowered below what is used refuses, and organizations do not share counts', () => {
  const used = new Map([[keyOfCount('o', cap('a', 1)), 7]]);
  const verdicts = judgeByCaps([of(cap('a', 5)), { organizationId: 'p', caps: [cap('a', 5)] }], used);
  expect(verdicts.map(({ isWithin }) => isWithin)).toEqual([false, true]);
});

test('no cap is ever exceeded, and no message is refused while all of its caps have room', () => {
  const caps = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
  const limits = fc.record({
    a: fc.integer({ min: 1, max: 4 }),
    b: fc.integer({ min: 1, max: 4 }),
    c: fc.constant(2),
  });
  fc.assert(
    fc.property(fc.array(caps, { maxLength: 30 }), limits, (messages, limitOf) => {
      const counts: Record<string, number> = {};
      const given = messages.map((scopes) => of(...scopes.map((scope) => cap(scope, limitOf[scope]))));
      judgeByCaps(given, new Map()).forEach(({ isWithin }, index) => {
        const scopes = messages[index]!;
        expect(isWithin).toBe(scopes.every((scope) => (counts[scope] ?? 0) < limitOf[scope]));
        if (isWithin) for (const scope of scopes) counts[scope] = (counts[scope] ?? 0) + 1;
      });
    }),
  );
});
