import { createHmac } from 'node:crypto';
import * as fc from 'fast-check';
import { webhooks, WebhookVerificationError } from '../../client/src/index.ts';

const secret = 'a-secret-of-16-chars-or-more';
const envelope = { id: 'an-id', event: 'message.delivered', createdAt: '', data: { text: 'ሰላም' } };
const rawBody = JSON.stringify(envelope);

/** The headers as the specification describes them, by Node's own HMAC. */
function headersFor(body: string | Uint8Array, ageSeconds = 0): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000) - ageSeconds);
  const digest = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return { 'x-service-timestamp': timestamp, 'x-service-signature': `sha256=${digest}` };
}

/** Why a webhook is refused; undefined if it is not. */
async function reasonOf(request: Parameters<typeof webhooks.verify>[0]): Promise<string | undefined> {
  try {
    await webhooks.verify(request);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(WebhookVerificationError);
    return (error as WebhookVerificationError).reason;
  }
}

test('a signed body is accepted as text and as bytes, with the headers of fetch, Node, and in any case', async () => {
  const headers = headersFor(rawBody);
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  for (const body of [rawBody, new TextEncoder().encode(rawBody), Buffer.from(rawBody)]) {
    for (const given of [headers, upper, new Headers(headers)]) {
      expect(await webhooks.verify({ rawBody: body, headers: given, secret })).toEqual(envelope);
    }
  }
});

const now = (): Record<string, string> => headersFor(rawBody);
test.each<[name: string, headers: Record<string, string>, reason: string]>([
  ['no headers', {}, 'header_missing'],
  ['no signature', { ...now(), 'x-service-signature': '' }, 'header_missing'],
  ['no timestamp', { ...now(), 'x-service-timestamp': '' }, 'header_missing'],
  ['a signature of another scheme', { ...now(), 'x-service-signature': 'sha1=00' }, 'wrong_signature'],
  [
    'a shortened signature',
    { ...now(), 'x-service-signature': now()['x-service-signature']!.slice(0, -2) },
    'wrong_signature',
  ],
  ['another timestamp than the signed one', { ...now(), 'x-service-timestamp': '1' }, 'wrong_signature'],
  ['a signature of another body', headersFor(`${rawBody} `), 'wrong_signature'],
  ['a request of 6 minutes ago', headersFor(rawBody, 360), 'outside_tolerance'],
  ['a request from the future', headersFor(rawBody, -360), 'outside_tolerance'],
])('%s is refused', async (_name, headers, reason) => {
  expect(await reasonOf({ rawBody, headers, secret })).toBe(reason);
});

test('another secret is refused, and the tolerance is the caller’s', async () => {
  expect(await reasonOf({ rawBody, headers: headersFor(rawBody), secret: `${secret}.` })).toBe(
    'wrong_signature',
  );
  const old = { rawBody, headers: headersFor(rawBody, 360), secret };
  expect(await reasonOf({ ...old, toleranceSeconds: 400 })).toBeUndefined();
});

test('an empty secret is a mistake of the caller, and verifies nothing', async () => {
  const headers = headersFor(rawBody);
  await expect(webhooks.verify({ rawBody, headers, secret: '' })).rejects.toBeInstanceOf(TypeError);
  const missing = { rawBody, headers, secret: undefined as unknown as string };
  await expect(webhooks.verify(missing)).rejects.toBeInstanceOf(TypeError);
});

test.each(['no json', 'null', '{}', '[1]'])('the signed body %j is no envelope', async (body) => {
  expect(await reasonOf({ rawBody: body, headers: headersFor(body), secret })).toBe('invalid_body');
});

test('one changed bit of the body or of the signature is refused', async () => {
  const body = new TextEncoder().encode(rawBody);
  await fc.assert(
    fc.asyncProperty(fc.nat(body.length - 1), fc.nat(7), fc.nat(63), async (byte, bit, digit) => {
      const changed = Uint8Array.from(body);
      changed[byte]! ^= 1 << bit;
      const headers = headersFor(body);
      expect(await reasonOf({ rawBody: changed, headers, secret })).toBe('wrong_signature');
      const hex = headers['x-service-signature']!.slice(7);
      const other = hex[digit] === '0' ? '1' : '0';
      const signature = `sha256=${hex.slice(0, digit)}${other}${hex.slice(digit + 1)}`;
      expect(
        await reasonOf({ rawBody: body, headers: { ...headers, 'x-service-signature': signature }, secret }),
      ).toBe('wrong_signature');
    }),
    { numRuns: 50 },
  );
});
