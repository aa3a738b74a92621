import * as fc from 'fast-check';
import { SegmentedMessage } from 'sms-segments-calculator';
import { countSegments, segmentMessage, type SegmentEncoding } from '../../src/messages/segments.ts';

/** 3GPP TS 23.038, 6.2.1 and 6.2.1.1, as pairs of code and character; written out apart from the source. */
const defaultAlphabet: [string, string][] = [
  ['00-0F', '@£$¥èéùìòÇ\nØø\rÅå'],
  ['10-1F', 'Δ_ΦΓΛΩΠΨΣΘΞÆæßÉ'],
  ['20-2F', ' !"#¤%&\'()*+,-./'],
  ['30-3F', '0123456789:;<=>?'],
  ['40-4F', '¡ABCDEFGHIJKLMNO'],
  ['50-5F', 'PQRSTUVWXYZÄÖÑÜ§'],
  ['60-6F', '¿abcdefghijklmno'],
  ['70-7F', 'pqrstuvwxyzäöñüà'],
];
const gsmCharacters = Array.from(defaultAlphabet.map(([, row]) => row).join(''));
const extensionCharacters = ['\f', '^', '{', '}', '\\', '[', '~', ']', '|', '€'];
const emoji = '😀';

const gsmText = fc.array(fc.constantFrom(...gsmCharacters, ...extensionCharacters), { maxLength: 700 });
const unicodeText = fc.array(fc.constantFrom('a', '€', '`', 'ሰ', 'ላ', '።', 'я', '中', emoji, '𝄞'), {
  maxLength: 320,
});
const anyText = fc.oneof(
  gsmText.map((characters) => characters.join('')),
  unicodeText.map((characters) => characters.join('')),
  fc.string({ unit: 'binary', maxLength: 320 }),
  // UTF-16 code units at random: lone surrogates too.
  fc
    .array(fc.integer({ min: 0xd700, max: 0xe010 }), { maxLength: 320 })
    .map((units) => String.fromCharCode(...units)),
);

const limits = { gsm7: { alone: 160, concatenated: 153 }, ucs2: { alone: 70, concatenated: 67 } };
const gsmOf = (text: string) =>
  Array.from(text).reduce((sum, character) => sum + (extensionCharacters.includes(character) ? 2 : 1), 0);
const unitsOf = { gsm7: gsmOf, ucs2: (text: string) => text.length };

describe('the alphabet', () => {
  test('has the 127 characters of the default alphabet, one septet each', () => {
    expect(gsmCharacters).toHaveLength(127);
    for (const character of gsmCharacters) {
      expect([character, segmentMessage(character)]).toEqual([
        character,
        expect.objectContaining({ encoding: 'gsm7', unitsUsed: 1 }),
      ]);
    }
  });

  test('has the ten characters of the extension table, two septets each', () => {
    for (const character of extensionCharacters) {
      expect([character, segmentMessage(character)]).toEqual([
        character,
        expect.objectContaining({ encoding: 'gsm7', unitsUsed: 2 }),
      ]);
    }
  });

  test('has no other character', () => {
    const found = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
      (character) => countSegments(character).encoding === 'gsm7',
    );
    expect(new Set(found)).toEqual(new Set([...gsmCharacters, ...extensionCharacters]));
  });

  test.each([
    ['ç, for which some tables have code 9', 'ç'],
    ['Greek capital alpha, which looks like A', 'Α'],
    ['backtick', '`'],
    ['tab', '\t'],
    ['escape itself', '\x1b'],
    ['typographic apostrophe', '’'],
    ['no-break space', '\u00a0'],
    ['Amharic', 'ሰላም'],
  ])('%s is sent as Unicode', (_name, text) => {
    expect(countSegments(text).encoding).toBe('ucs2');
  });
});

describe('the limits', () => {
  const a = (count: number) => 'a'.repeat(count);
  const b = (count: number) => 'ሰ'.repeat(count);
  test.each<[string, string, SegmentEncoding, number[]]>([
    ['empty', '', 'gsm7', [0]],
    ['159 septets', a(159), 'gsm7', [159]],
    ['160 septets', a(160), 'gsm7', [160]],
    ['161 septets', a(161), 'gsm7', [153, 8]],
    ['305 septets', a(305), 'gsm7', [153, 152]],
    ['306 septets', a(306), 'gsm7', [153, 153]],
    ['307 septets', a(307), 'gsm7', [153, 153, 1]],
    ['160 septets that end with an escape pair', `${a(158)}€`, 'gsm7', [160]],
    ['an escape pair over septets 160 and 161', `${a(159)}€`, 'gsm7', [153, 8]],
    ['an escape pair over septets 152 and 153', `${a(151)}€${a(20)}`, 'gsm7', [153, 20]],
    ['an escape pair over septets 153 and 154', `${a(152)}€${a(20)}`, 'gsm7', [152, 22]],
    ['80 escape pairs', '€'.repeat(80), 'gsm7', [160]],
    ['81 escape pairs', '€'.repeat(81), 'gsm7', [152, 10]],
    ['306 septets of which the first part loses one', `${a(152)}€${a(152)}`, 'gsm7', [152, 153, 1]],
    ['305 septets, an escape pair over the second boundary', `${a(305)}€`, 'gsm7', [153, 152, 2]],
    ['69 code units', b(69), 'ucs2', [69]],
    ['70 code units', b(70), 'ucs2', [70]],
    ['71 code units', b(71), 'ucs2', [67, 4]],
    ['133 code units', b(133), 'ucs2', [67, 66]],
    ['134 code units', b(134), 'ucs2', [67, 67]],
    ['135 code units', b(135), 'ucs2', [67, 67, 1]],
    ['70 code units that end with a surrogate pair', b(68) + emoji, 'ucs2', [70]],
    ['a surrogate pair over code units 70 and 71', b(69) + emoji, 'ucs2', [67, 4]],
    ['a surrogate pair over code units 66 and 67', b(65) + emoji + b(10), 'ucs2', [67, 10]],
    ['a surrogate pair over code units 67 and 68', b(66) + emoji + b(10), 'ucs2', [66, 12]],
    ['134 code units of which the first part loses one', b(66) + emoji + b(66), 'ucs2', [66, 67, 1]],
    ['35 emoji', emoji.repeat(35), 'ucs2', [70]],
    ['36 emoji', emoji.repeat(36), 'ucs2', [66, 6]],
    ['1600 septets, the longest text', a(1600), 'gsm7', [...Array<number>(10).fill(153), 70]],
    ['1600 emoji, the longest text', emoji.repeat(1600), 'ucs2', [...Array<number>(48).fill(66), 32]],
    ['GSM-7 text with one character of Unicode at its end', `${a(70)}ሰ`, 'ucs2', [67, 4]],
    ['extension characters in Unicode count one', `${'€'.repeat(69)}ሰ`, 'ucs2', [70]],
    ['the last code unit there is, at a boundary', `${b(66)}\uffff${b(10)}`, 'ucs2', [67, 10]],
    ['a lone high surrogate at a boundary', `${b(66)}\ud83d${b(10)}`, 'ucs2', [67, 10]],
    ['a lone low surrogate at a boundary', `${b(67)}\ude00${b(10)}`, 'ucs2', [67, 11]],
  ])('%s', (_name, text, encoding, units) => {
    const segmented = segmentMessage(text);
    expect(segmented.encoding).toBe(encoding);
    expect(segmented.parts.map((part) => part.unitsUsed)).toEqual(units);
    expect(segmented.unitsUsed).toBe(units.reduce((sum, unit) => sum + unit, 0));
    expect(countSegments(text)).toEqual({ encoding, segments: units.length });
  });

  test('a segment of several is named with its smaller room', () => {
    expect([a(160), a(161), b(70), b(71)].map((text) => segmentMessage(text).unitsPerSegment)).toEqual([
      160, 153, 70, 67,
    ]);
  });
});

describe('characters that force Unicode', () => {
  test.each<[string, string, Record<string, number[]>]>([
    ['none', 'Hello €', {}],
    ['each once, in order of appearance', 'ሰላም `ሰላም`', { ሰ: [0, 5], ላ: [1, 6], ም: [2, 7], '`': [4, 8] }],
    ['a surrogate pair as one', `Hi ${emoji}€${emoji}ላ`, { [emoji]: [3, 5], ላ: [6] }],
  ])('%s', (_name, text, expected) => {
    expect(segmentMessage(text).charactersForcingUnicode).toEqual(
      Object.entries(expected).map(([character, positions]) => ({ character, positions })),
    );
  });
});

describe('for every text', () => {
  test('the parts together are the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(
          segmentMessage(text)
            .parts.map((part) => part.text)
            .join(''),
        ).toBe(text);
      }),
    );
  });

  test('no part is over its limit or empty, and the count is the number of parts', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { encoding, segments, parts } = segmentMessage(text);
        const limit = limits[encoding][parts.length === 1 ? 'alone' : 'concatenated'];
        for (const part of parts) {
          expect(part.unitsUsed).toBe(unitsOf[encoding](part.text));
          expect(part.unitsUsed).toBeLessThanOrEqual(limit);
          expect(text === '' || part.text !== '').toBe(true);
        }
        expect(segments).toBe(parts.length);
        expect(countSegments(text)).toEqual({ encoding, segments });
      }),
    );
  });

  test('no surrogate pair is split', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(segmentMessage(text).parts.flatMap((part) => Array.from(part.text))).toEqual(Array.from(text));
      }),
    );
  });

  test('a part ends only where the next character does not fit', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { encoding, parts } = segmentMessage(text);
        parts.slice(1).forEach((part, index) => {
          const [next] = part.text;
          const filled = parts[index]!.unitsUsed + unitsOf[encoding](next!);
          expect(filled).toBeGreaterThan(limits[encoding].concatenated);
        });
      }),
    );
  });

  test('what forces Unicode is found at each of its positions and nowhere else', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { encoding, charactersForcingUnicode } = segmentMessage(text);
        const rest = Array.from(text);
        for (const { character, positions } of charactersForcingUnicode) {
          for (const position of positions) {
            expect(rest[position]).toBe(character);
            rest[position] = 'a';
          }
        }
        expect(charactersForcingUnicode.length > 0).toBe(encoding === 'ucs2');
        expect(countSegments(rest.join('')).encoding).toBe('gsm7');
      }),
    );
  });

  test('a longer text never has fewer segments', () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        const whole = countSegments(before + after).segments;
        expect(whole).toBeGreaterThanOrEqual(countSegments(before).segments);
        expect(whole).toBeGreaterThanOrEqual(countSegments(after).segments);
      }),
    );
  });

  test('a text has as many segments as its well-formed UTF-8 form, which is what is stored and sent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(countSegments(text)).toEqual(countSegments(Buffer.from(text).toString()));
      }),
    );
  });
});

/**
 * Twilio's calculator, with automatic encoding and without its smart encoding (which replaces characters).
 *
 * It keeps grapheme clusters of several code points whole (base and combining mark, emoji joined by U+200D,
 * flags), 3GPP TS 23.038 and 23.040 know code units only: where a cluster lies over a
 * boundary it may count a segment more. So it is asked about texts in which every code point is a cluster of
 * its own, and about others only where one segment holds them.
 */
describe("Twilio's calculator agrees", () => {
  const secondOpinion = (text: string) => {
    const { encodingName, segmentsCount } = new SegmentedMessage(text, 'auto', false);
    return { encoding: encodingName === 'GSM-7' ? 'gsm7' : 'ucs2', segments: segmentsCount };
  };

  test('on GSM-7 texts', () => {
    fc.assert(
      fc.property(gsmText, (characters) => {
        const text = characters.join('');
        expect(countSegments(text)).toEqual(secondOpinion(text));
      }),
      { numRuns: 300 },
    );
  });

  test('on Unicode texts', () => {
    fc.assert(
      fc.property(unicodeText, (characters) => {
        const text = characters.join('');
        expect(countSegments(text)).toEqual(secondOpinion(text));
      }),
      { numRuns: 300 },
    );
  });

  test('but for a cluster over a boundary, which it moves whole and the standard does not', () => {
    const family = '👨\u200d👩\u200d👧\u200d👦'; // 11 code units, one grapheme cluster
    const text = `${'ሰ'.repeat(59)}${family}${'ሰ'.repeat(64)}`;
    expect(text).toHaveLength(134);
    // The boundary falls behind the girl: between two code points, within the cluster.
    expect(segmentMessage(text).parts.map((part) => part.unitsUsed)).toEqual([67, 67]);
    expect(secondOpinion(text)).toEqual({ encoding: 'ucs2', segments: 3 });
  });
});
