import type { Schemas } from '../http/contract/contract-types.ts';

/** The maximum length of a message's text, in code points (specification section 8). openapi.yaml states it too. */
export const maxTextLength = 1600;

export type SegmentEncoding = Schemas['MessageEstimate']['encoding'];

export interface SegmentCount {
  encoding: SegmentEncoding;
  segments: number;
}

export interface SegmentedMessage extends SegmentCount {
  /** Units of the whole text: septets in gsm7, UTF-16 code units in ucs2. Headers are not counted. */
  unitsUsed: number;
  /** Units that one segment of this message can hold. */
  unitsPerSegment: number;
  /** The content of each segment, in order. Joined, they are the text. */
  parts: { text: string; unitsUsed: number }[];
  /** The characters that GSM-7 lacks, each listed once, in order of appearance; empty for gsm7. */
  charactersForcingUnicode: ForcingCharacter[];
}

export interface ForcingCharacter {
  character: string;
  /** The positions of the character, in code points from the start of the text; the first is 0. */
  positions: number[];
}

/**
 * Units of one segment: the 140 octets of a short message (3GPP TS 23.040, 9.2.3.16), and the remainder after the six
 * octets of a concatenation header with an 8-bit reference (9.2.3.24.1), which is the header that the gateway writes.
 */
const segmentLimits = {
  gsm7: { alone: 160, concatenated: 153 },
  ucs2: { alone: 70, concatenated: 67 },
} as const;

/** GSM 7 bit default alphabet (3GPP TS 23.038, 6.2.1), in the order of its codes, without escape (0x1B). */
const defaultAlphabet =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** The default extension table (6.2.1.1): each character is an escape and a septet. `\f` is its page break. */
const extensionTable = '\f^{}\\[~]|€';

/** The number of septets for a UTF-16 code unit; 0 if GSM-7 lacks it. The euro sign has the highest code. */
const septetsByCodeUnit = new Uint8Array(0x20ac + 1);
for (const character of defaultAlphabet) septetsByCodeUnit[character.charCodeAt(0)] = 1;
for (const character of extensionTable) septetsByCodeUnit[character.charCodeAt(0)] = 2;

/**
 * Returns the encoding of a text and the number of segments that are billed for it.
 *
 * The encoding is GSM-7 if the default alphabet and its extension table contain every character, otherwise UCS-2. A
 * single segment holds 160 septets or 70 code units. If there are several segments, each holds 153 or 67. An escape
 * pair or a surrogate pair that does not fit moves to the next segment as a whole. Letters that look like a letter of
 * the alphabet (Greek capital alpha, typographic quotes) are not replaced: the text is sent unchanged.
 *
 * A lone surrogate counts as one code unit, and so does U+FFFD, which replaces it once the text is UTF-8. An empty text
 * is one segment.
 */
export function countSegments(text: string): SegmentCount {
  const septets = countSeptets(text);
  const encoding = septets === null ? 'ucs2' : 'gsm7';
  const limits = segmentLimits[encoding];
  if ((septets ?? text.length) <= limits.alone) return { encoding, segments: 1 };
  let segments = 0;
  for (let start = 0; start < text.length; start = endOfPart(text, start, encoding)) segments += 1;
  return { encoding, segments };
}

/**
 * Splits a text into segments by the rules of `countSegments`. Returns the content of each segment and, for a text in
 * UCS-2, the characters that require it.
 */
export function segmentMessage(text: string): SegmentedMessage {
  const { encoding, segments } = countSegments(text);
  const parts: SegmentedMessage['parts'] = [];
  for (let start = 0; parts.length < segments;) {
    const end = segments === 1 ? text.length : endOfPart(text, start, encoding);
    const part = text.slice(start, end);
    parts.push({ text: part, unitsUsed: countUnits(part, encoding) });
    start = end;
  }
  return {
    encoding,
    segments,
    unitsUsed: countUnits(text, encoding),
    unitsPerSegment: segmentLimits[encoding][segments === 1 ? 'alone' : 'concatenated'],
    parts,
    charactersForcingUnicode: encoding === 'gsm7' ? [] : findForcingCharacters(text),
  };
}

function findForcingCharacters(text: string): ForcingCharacter[] {
  const found = new Map<string, number[]>();
  Array.from(text).forEach((character, position) => {
    const positions = found.get(character);
    if (positions) positions.push(position);
    else if (countSeptets(character) === null) found.set(character, [position]);
  });
  return Array.from(found, ([character, positions]) => ({ character, positions }));
}

/** The number of septets of a text, without headers; null if GSM-7 lacks one of its characters. */
function countSeptets(text: string): number | null {
  let total = 0;
  for (let index = 0; index < text.length; index += 1) {
    const septets = septetsByCodeUnit[text.charCodeAt(index)];
    if (!septets) return null;
    total += septets;
  }
  return total;
}

function countUnits(text: string, encoding: SegmentEncoding): number {
  return encoding === 'gsm7' ? (countSeptets(text) ?? 0) : text.length;
}

/** Where the part of a concatenated message that begins at `start` ends. It holds one character at least. */
function endOfPart(text: string, start: number, encoding: SegmentEncoding): number {
  const limit = segmentLimits[encoding].concatenated;
  if (encoding === 'ucs2') {
    const end = Math.min(start + limit, text.length);
    return isSurrogatePair(text, end - 1) ? end - 1 : end;
  }
  let end = start;
  for (let free = limit; end < text.length; end += 1) {
    free -= septetsByCodeUnit[text.charCodeAt(end)] ?? 0;
    if (free < 0) break;
  }
  return end;
}

function isSurrogatePair(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}
