import * as fc from 'fast-check';
import { readAnswer } from '../../src/gateway/kannel-answers.ts';

const status = fc.oneof(
  fc.integer({ min: 200, max: 599 }),
  fc.constantFrom(200, 202, 400, 403, 429, 500, 502, 503),
);
const words = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom(
    '0: Accepted for delivery',
    '3: Queued',
    'Sent.',
    'Not routable.',
    'Sending failed.',
    'x, rejected',
  ),
);

test('every response has one outcome, and none shows what the gateway wrote', () => {
  fc.assert(
    fc.property(status, words, (httpStatus, body) => {
      const outcome = readAnswer(httpStatus, body);
      expect(['accepted', 'refused', 'unavailable', 'doubtful']).toContain(outcome.outcome);
      const values = Object.values(outcome).filter((value) => typeof value === 'string');
      for (const value of values) expect(value).toMatch(/^[a-z_]+$/);
    }),
  );
});

test('a message fails for good only by a 400, a 403 or a request that is too long', () => {
  fc.assert(
    fc.property(status, words, (httpStatus, body) => {
      const isRefused = readAnswer(httpStatus, body).outcome === 'refused';
      expect(isRefused && ![400, 403, 413, 414, 431].includes(httpStatus)).toBe(false);
    }),
  );
});

test('a message counts as taken only by a 202, or by a 200 with the words of Kannel', () => {
  fc.assert(
    fc.property(status, words, (httpStatus, body) => {
      const isAccepted = readAnswer(httpStatus, body).outcome === 'accepted';
      const isKannels = /^(0: |3: |Sent\.)/.test(body.trim());
      expect(isAccepted).toBe(httpStatus === 202 || (httpStatus === 200 && isKannels));
    }),
  );
});

test('a 5xx leaves the submission in doubt, unless the gateway says that it did not take it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 500, max: 599 }), words, (httpStatus, body) => {
      const isCertain = httpStatus === 503 || body.trim() === 'Sending failed.';
      expect(readAnswer(httpStatus, body).outcome).toBe(isCertain ? 'unavailable' : 'doubtful');
    }),
  );
});
