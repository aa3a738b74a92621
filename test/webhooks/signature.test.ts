import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { signWebhook } from '../../src/webhooks/attempts/signature.ts';

describe('a webhook signature', () => {
  // printf '%s' '1700000000.{"event":"message.delivered","text":"ሰላም"}' |
  //   openssl dgst -sha256 -hmac 'whsec_0123456789abcdef'
  test('is what openssl computes', () => {
    expect(
      signWebhook({
        secret: 'whsec_0123456789abcdef',
        timestampSeconds: 1_700_000_000,
        body: '{"event":"message.delivered","text":"ሰላም"}',
      }),
    ).toBe('sha256=760a61185a24fe0f1064024a2b47c4acbea8c9e1862abd703cfd5d31b286bb6f');
  });

  // printf '%s' '1700000000.' | openssl dgst -sha256 -hmac 'ሚስጥር-sixteen-chars'
  test('is what openssl computes for an empty body and a secret in UTF-8', () => {
    expect(signWebhook({ secret: 'ሚስጥር-sixteen-chars', timestampSeconds: 1_700_000_000, body: '' })).toBe(
      'sha256=4fd2909112e2a64ed1b5a3420546d3fff850ad7c2eac97e66ff76318ac8d4d6d',
    );
  });

  const secret = fc.string({ unit: 'grapheme', minLength: 16, maxLength: 200 });
  const timestampSeconds = fc.nat();

  test('verifies as a receiver does it: headers and raw bytes, prefix stripped', () => {
    fc.assert(
      fc.property(secret, timestampSeconds, fc.uint8Array(), (key, timestamp, body) => {
        const headers = {
          'x-service-timestamp': String(timestamp),
          'x-service-signature': signWebhook({ secret: key, timestampSeconds: timestamp, body }),
        };
        expect(headers['x-service-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
        const signed = Buffer.concat([Buffer.from(`${headers['x-service-timestamp']}.`), body]);
        expect(headers['x-service-signature'].replace('sha256=', '')).toBe(
          createHmac('sha256', key).update(signed).digest('hex'),
        );
      }),
    );
  });

  test('is the same for a string and its UTF-8 bytes', () => {
    fc.assert(
      fc.property(secret, timestampSeconds, fc.string({ unit: 'grapheme' }), (key, timestamp, body) => {
        expect(signWebhook({ secret: key, timestampSeconds: timestamp, body: Buffer.from(body) })).toBe(
          signWebhook({ secret: key, timestampSeconds: timestamp, body }),
        );
      }),
    );
  });

  test('differs when the secret, the timestamp or one byte of the body differs', () => {
    const request = { secret: 'whsec_0123456789abcdef', timestampSeconds: 1_700_000_000, body: '{"a":1}' };
    const signature = signWebhook(request);
    expect(signWebhook({ ...request, secret: 'whsec_0123456789abcdeF' })).not.toBe(signature);
    expect(signWebhook({ ...request, timestampSeconds: 1_700_000_001 })).not.toBe(signature);
    expect(signWebhook({ ...request, body: '{"a":2}' })).not.toBe(signature);
  });

  test.each([1.5, Number.NaN, Infinity, 1e21])(
    'is refused for the timestamp %p, which is not whole seconds',
    (value) => {
      expect(() => signWebhook({ secret: 'x'.repeat(16), timestampSeconds: value, body: '' })).toThrow(
        new RangeError(`timestampSeconds must be whole seconds, not ${value}`),
      );
    },
  );
});
