import * as fc from 'fast-check';
import { createTurns } from '../../src/gateway/turns.ts';

/** What callers do: ask for a place under a key, or free one of the places in use. */
const steps = fc.array(
  fc.oneof(
    fc.record({ take: fc.constantFrom('a', 'b', 'c', 'd') }),
    fc.record({ take: fc.constant('busy') }),
    fc.constant('leave' as const),
  ),
  { maxLength: 300 },
);

/** Runs the steps and then frees places until none is in use. Reports each begin, in order. */
function play(
  places: number,
  given: readonly ({ take: string } | 'leave')[],
  onEvent: (event: { kind: 'waits' | 'begins'; key: string; call: number; inUse: number }) => void,
): void {
  const turns = createTurns(places);
  let inUse = 0;
  given.forEach((step, call) => {
    if (step === 'leave') {
      if (inUse === 0) return;
      inUse -= 1;
      turns.leave();
      return;
    }
    onEvent({ kind: 'waits', key: step.take, call, inUse });
    turns.take(step.take, () => {
      inUse += 1;
      onEvent({ kind: 'begins', key: step.take, call, inUse });
      return true;
    });
  });
  while (inUse > 0) {
    inUse -= 1;
    turns.leave();
  }
}

test('every call begins once, and never more at a time than there are places', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), steps, (places, given) => {
      const begun: number[] = [];
      play(places, given, ({ kind, call, inUse }) => {
        if (kind !== 'begins') return;
        begun.push(call);
        expect(inUse).toBeLessThanOrEqual(places);
      });
      const asked = given.flatMap((step, call) => (step === 'leave' ? [] : [call]));
      expect(begun.toSorted((a, b) => a - b)).toEqual(asked);
    }),
  );
});

test('while a key waits, no other key begins twice; within a key the calls begin in order', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), steps, (places, given) => {
      const waiting = new Map<string, { calls: number[]; passedBy: Set<string> }>();
      play(places, given, ({ kind, key, call }) => {
        if (kind === 'waits') {
          const own = waiting.get(key);
          if (own) own.calls.push(call);
          else waiting.set(key, { calls: [call], passedBy: new Set() });
          return;
        }
        const own = waiting.get(key)!;
        expect(own.calls.shift()).toBe(call);
        own.passedBy.clear();
        if (own.calls.length === 0) waiting.delete(key);
        for (const [other, { passedBy }] of waiting) {
          if (other === key) continue;
          expect(passedBy).not.toContain(key);
          passedBy.add(key);
        }
      });
    }),
  );
});

test('a call that no longer needs its place leaves it to the next', () => {
  const turns = createTurns(1);
  const begun: string[] = [];
  const call = (name: string, isUsed: boolean) => () => {
    begun.push(name);
    return isUsed;
  };
  turns.take('a', call('first', true));
  turns.take('a', call('given up', false));
  turns.take('a', call('second', true));
  turns.leave();
  expect(begun).toEqual(['first', 'given up', 'second']);
});

test('thousands of calls that fail at once are all begun', () => {
  const turns = createTurns(1);
  let begun = 0;
  turns.take('a', () => true);
  for (let index = 0; index < 20_000; index += 1) {
    turns.take('a', () => {
      begun += 1;
      turns.leave();
      return true;
    });
  }
  turns.leave();
  expect(begun).toBe(20_000);
});
