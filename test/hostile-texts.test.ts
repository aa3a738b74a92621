/**
 * The readers of what comes from outside, with texts that nobody would send: each returns, or throws the error that its
 * comment names, and none takes longer than its length explains. Their meaning is tested beside each of them.
 */
import * as fc from 'fast-check';
import { isAllowedAddress, readAllowedAddresses, toRanges } from '../src/api-keys/allowed-addresses.ts';
import { parseApiKey } from '../src/api-keys/api-key.ts';
import { splitTags } from '../src/contacts/csv-cells.ts';
import { readRows } from '../src/contacts/import/read-csv.ts';
import { readColumn } from '../src/contacts/read-column.ts';
import { ApiError } from '../src/errors.ts';
import { classifyDeliveryReport } from '../src/gateway/delivery-report.ts';
import { readAnswer } from '../src/gateway/kannel-answers.ts';
import { decodeCursor } from '../src/http/cursor.ts';
import { neutraliseCell, restoreCell } from '../src/http/csv-formulas.ts';
import { countJsonValues } from '../src/http/requests/body-room.ts';
import { decodePercents } from '../src/http/requests/percent-encoding.ts';
import { matchKeyword } from '../src/inbound/keywords/match-keyword.ts';
import { normalizeText } from '../src/inbound/keywords/normalize-text.ts';
import { readOptOut } from '../src/inbound/keywords/opt-out-words.ts';
import { readNumber } from '../src/inbound/read-number.ts';
import { normalizeRecipient } from '../src/messages/recipient.ts';
import { createTextSealer } from '../src/messages/sealer.ts';
import { countSegments, segmentMessage } from '../src/messages/segments.ts';
import { findTimezone } from '../src/organizations/timezone.ts';
import { networkOf } from '../src/rate-limits/network-of.ts';
import { classifySender, normalizeSender } from '../src/sender-ids/sender-value.ts';
import { parseMergeFields, renderMergeFields } from '../src/templates/merge-fields.ts';
import { isPublicAddress } from '../src/webhooks/attempts/public-address.ts';
import { parseRetryAfter } from '../src/webhooks/attempts/retry-schedule.ts';
import { checkWebhookUrl } from '../src/webhooks/webhook-url.ts';

const pepper = 'a'.repeat(32);
const keys = [{ id: 'key-1', secret: 'b'.repeat(32) }];
const sealers = [
  createTextSealer({ pepper }),
  createTextSealer({ pepper, previousPepper: 'c'.repeat(32), keys }),
];
const rule = { id: 'x', foldedKeyword: 'x', matchType: 'contains' as const, createdAt: new Date(0) };

type Refusal = (error: unknown) => boolean;
const never: Refusal = () => false;
const asApiError: Refusal = (error) => error instanceof ApiError;
const asUriError: Refusal = (error) => error instanceof URIError;
const asError: Refusal = (error) => error instanceof Error && !(error instanceof TypeError);

const readers: [name: string, read: (text: string) => unknown, isDocumented: Refusal][] = [
  ['an address range of a key', (text) => toRanges(readAllowedAddresses([text])), asApiError],
  [
    'the address of a client',
    (text) => isAllowedAddress(toRanges(['10.0.0.0/8', '2001:db8::/32']), text),
    never,
  ],
  ['the network of a client', networkOf, never],
  ['an address of a receiver', isPublicAddress, never],
  ['the URL of a webhook', (text) => checkWebhookUrl(text, ['127.0.0.1']), asApiError],
  ['Retry-After', (text) => parseRetryAfter(text, 0), never],
  ['an API key', parseApiKey, never],
  ['a recipient', normalizeRecipient, never],
  ['a number from the gateway', readNumber, never],
  ['a sender', (text) => [classifySender(text), normalizeSender(text)], never],
  ['a delivery report', classifyDeliveryReport, never],
  [
    'an answer of the gateway',
    (text) => [200, 202, 400, 403, 500].map((status) => readAnswer(status, text)),
    never,
  ],
  ['a cursor', (text) => decodeCursor('contacts', text), asApiError],
  ['a percent-encoded text', decodePercents, asUriError],
  ['the number of JSON values', (text) => countJsonValues(Buffer.from(text), 1e9), never],
  ['merge fields', (text) => parseMergeFields(text), asApiError],
  ['a text with STOP', readOptOut, never],
  ['a text to match', (text) => [normalizeText(text), matchKeyword(text, [rule])], never],
  ['segments', countSegments, never],
  ['a time zone', findTimezone, never],
  ['a header of a CSV file', readColumn, never],
  [
    'a CSV file',
    (text) => readRows(Buffer.from(text), { delimiter: ',', maxRows: 1e6, isEnd: true, mustRead: true }),
    never,
  ],
  ['tags of a CSV file', splitTags, never],
  ['a cell of a CSV file', (text) => restoreCell(neutraliseCell(text)), never],
  ...sealers.map((sealer, index): (typeof readers)[number] => [
    `a sealed value, ${index === 0 ? 'without' : 'with'} keys`,
    (text) => sealer.unseal('x', text),
    asError,
  ]),
];

/** Runs a reader. Throws what it throws, unless that is documented. */
function readWith(read: (text: string) => unknown, isDocumented: Refusal, text: string): void {
  try {
    read(text);
  } catch (error) {
    if (!isDocumented(error)) throw error;
  }
}

const pieces = fc.constantFrom(
  ...[
    '+251',
    '0911',
    '00',
    '%',
    '%e1',
    '%ff',
    '{{',
    '}}',
    '|',
    'firstName',
    '[',
    ']',
    '/',
    '/24',
    '::',
    '.',
    ':',
  ],
  ...[
    '::ffff:',
    '255',
    'http://',
    'https://',
    '@',
    '#',
    '?',
    '[::1]',
    'localhost',
    'sms_live_',
    'sms_test_',
    '_',
    '%25',
  ],
  ...[
    'STOP',
    'Sun, ',
    'GMT',
    '06 Nov 1994',
    '08:49:37',
    '-',
    '=',
    ',',
    ';',
    '"',
    '\t',
    '\r\n',
    '\0',
    'AQ',
    'Y29udGFjdHMg',
  ],
);
const texts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.array(fc.oneof(pieces, fc.string({ maxLength: 3 })), { maxLength: 12 }).map((all) => all.join('')),
  fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.uint8Array({ maxLength: 80 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc
    .array(fc.constantFrom(0xd800, 0xdc00, 0x41, 0x7b), { maxLength: 20 })
    .map((units) => String.fromCharCode(...units)),
);

test.each(readers)('no text makes the reader of %s fail', (_name, read, isDocumented) => {
  fc.assert(
    fc.property(texts, (text) => readWith(read, isDocumented, text)),
    { numRuns: 1000 },
  );
});

/** A tenth of a megabyte: ten thousand million steps where each character costs a look at all others. */
const hostileLength = 100_000;
const units = [
  ...[
    'a',
    '0',
    '9',
    ' ',
    '\t',
    '+',
    '-',
    '.',
    ':',
    '%',
    '%e',
    '%25',
    '{{',
    '{{a|',
    '}}',
    '[',
    '][',
    '(',
    ')',
    '"',
  ],
  ...[
    '""',
    ',',
    ';',
    '\r\n',
    '\\',
    '/',
    '@',
    '_',
    '=',
    '\0',
    '\u00a0',
    'አ',
    '😀',
    '\u0301',
    '\ud800',
    '1.',
    'a,',
    '{{x',
  ],
];

test.each(readers)(
  'the reader of %s takes no longer than the length of a text explains',
  (_name, read, isDocumented) => {
    for (const unit of units) {
      for (const [head, tail] of [
        ['', ''],
        ['+251', '!'],
        ['"', 'x'],
      ]) {
        const startedAtMs = performance.now();
        readWith(read, isDocumented, `${head}${unit.repeat(hostileLength / unit.length)}${tail}`);
        const tookMs = performance.now() - startedAtMs;
        // Seconds, because the machine is busy with other tests; what is not in proportion to the length takes minutes.
        expect({ unit, isSlow: tookMs > 5000 }).toEqual({ unit, isSlow: false });
      }
    }
  },
  120_000,
);

test('a sealed value is opened by its owner, and not when any bit of it was changed', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...sealers),
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.nat(),
      (sealer, text, owner, at) => {
        fc.pre(text.isWellFormed());
        const sealed = sealer.seal(owner, text);
        expect(sealer.unseal(owner, sealed)).toBe(text);
        expect(() => sealer.unseal(`${owner}x`, sealed)).toThrow();
        const bytes = Buffer.from(sealed, 'base64');
        bytes[(at >> 3) % bytes.length]! ^= 1 << (at & 7);
        expect(() => sealer.unseal(owner, bytes.toString('base64'))).toThrow();
        expect(() => sealer.unseal(owner, bytes.subarray(0, at % bytes.length).toString('base64'))).toThrow();
      },
    ),
    { numRuns: 300 },
  );
});

test('an address is in a network exactly if their first bits are equal', () => {
  const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
  const toBits = (address: number[]): string =>
    address.map((octet) => octet.toString(2).padStart(8, '0')).join('');
  fc.assert(
    fc.property(octets, octets, fc.integer({ min: 0, max: 32 }), fc.boolean(), (one, other, bits, isNear) => {
      const network = `${toBits(one).slice(0, bits)}${'0'.repeat(32 - bits)}`
        .match(/.{8}/g)!
        .map((octet) => parseInt(octet, 2));
      const client = isNear ? [...network.slice(0, 3), other[3]] : other;
      const given = [`${network.join('.')}/${bits}`];
      expect(readAllowedAddresses(given)).toEqual(given);
      const ranges = toRanges(given);
      const isWithin = toBits(client).slice(0, bits) === toBits(network).slice(0, bits);
      expect(isAllowedAddress(ranges, client.join('.'))).toBe(isWithin);
      expect(isAllowedAddress(ranges, `::ffff:${client.join('.')}`)).toBe(isWithin);
      // A network whose address has bits beyond its prefix is refused.
      const isNetwork = toBits(one).slice(bits) === '0'.repeat(32 - bits);
      const read = () => readAllowedAddresses([`${one.join('.')}/${bits}`]);
      if (isNetwork) expect(read()).toHaveLength(1);
      else expect(read).toThrow(ApiError);
    }),
  );
});

test('what a number from the gateway is read as, is read as itself', () => {
  fc.assert(
    fc.property(fc.oneof(texts, fc.stringMatching(/^(\+|00)?[0-9]{3,15}$/)), (text) => {
      const once = readNumber(text);
      expect(readNumber(once)).toBe(once);
    }),
  );
});

test('a percent-encoded text is decoded to what was encoded, and a percent sign alone stays', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(text.isWellFormed());
      expect(decodePercents(encodeURIComponent(text))).toBe(text);
      if (!/%[0-9a-f]{2}/i.test(text)) expect(decodePercents(text)).toBe(text);
    }),
  );
});

test('the values of a JSON text are counted as often as they are there', () => {
  const count = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, inner) => sum + count(inner), 1)
      : 1;
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      const json = Buffer.from(JSON.stringify(value, null, indent));
      expect(countJsonValues(json, 1e6)).toBe(count(value));
    }),
  );
});

test('a text without merge fields is rendered as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      fc.pre(!text.includes('{{'));
      expect(renderMergeFields(parseMergeFields(text), {})).toBe(text);
    }),
  );
});

test('the segments of a text joined are the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), (text) => {
      const { parts, segments } = segmentMessage(text);
      expect(parts.map((part) => part.text).join('')).toBe(text);
      expect(countSegments(text).segments).toBe(segments);
    }),
  );
});
