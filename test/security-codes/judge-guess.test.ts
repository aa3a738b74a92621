import { array, assert, boolean, constantFrom, integer, nat, property, record } from 'fast-check';
import { codeStatuses, judgeGuess, type GuessedCode } from '../../src/security-codes/code-status.ts';

const now = new Date('2026-01-01T00:00:00Z');
const later = new Date(now.getTime() + 1);
const pending: GuessedCode = { status: 'pending', attempts: 1, maxAttempts: 3, expiresAt: later };

test.each([
  ['a correct guess closes the code', pending, true, 'verified', 0, { status: 'verified', attempts: 1 }],
  ['a wrong guess is counted', pending, false, 'incorrect', 1, { status: 'pending', attempts: 2 }],
  [
    'the last wrong guess closes the code',
    { ...pending, attempts: 2 },
    false,
    'incorrect',
    0,
    { status: 'max_attempts_reached', attempts: 3 },
  ],
  [
    'the last guess may be correct',
    { ...pending, attempts: 2 },
    true,
    'verified',
    0,
    { status: 'verified', attempts: 2 },
  ],
  ['a code expires at its time', { ...pending, expiresAt: now }, true, 'expired', 0, null],
  ['a verified code is used', { ...pending, status: 'verified' }, true, 'already_used', 0, null],
  ['an expired code stays expired', { ...pending, status: 'expired' }, true, 'expired', 0, null],
  ['a superseded code says so', { ...pending, status: 'superseded' }, true, 'superseded', 0, null],
  [
    'a code without attempts says so',
    { ...pending, status: 'max_attempts_reached', attempts: 3 },
    true,
    'max_attempts_reached',
    0,
    null,
  ],
] as const)('%s', (_name, code, isCorrect, status, attemptsRemaining, changed) => {
  expect(judgeGuess(code, isCorrect, now)).toEqual({ status, attemptsRemaining, changed });
});

const codes = record({
  status: constantFrom(...codeStatuses),
  attempts: nat(10),
  maxAttempts: integer({ min: 1, max: 10 }),
  expiresAt: constantFrom(now, later),
});

test('whatever the guesses, a code verifies at most once and counts at most its attempts', () => {
  assert(
    property(codes, array(boolean(), { maxLength: 30 }), (start, guesses) => {
      let code: GuessedCode = { ...start, attempts: Math.min(start.attempts, start.maxAttempts - 1) };
      let verified = 0;
      let wrong = code.attempts;
      for (const isCorrect of guesses) {
        const { status, changed } = judgeGuess(code, isCorrect, now);
        if (status === 'verified') verified += 1;
        if (status === 'incorrect') wrong += 1;
        if (changed) code = { ...code, ...changed };
      }
      expect(verified).toBeLessThanOrEqual(1);
      expect(wrong).toBeLessThanOrEqual(code.maxAttempts);
      expect(code.attempts).toBe(wrong);
    }),
  );
});
