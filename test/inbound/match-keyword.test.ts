import * as fc from 'fast-check';
import { normalizeText } from '../../src/inbound/keywords/normalize-text.ts';
import {
  matchKeyword,
  matchTypes,
  type MatchableRule,
  type MatchType,
} from '../../src/inbound/keywords/match-keyword.ts';
import { readOptOut } from '../../src/inbound/keywords/opt-out-words.ts';
import { readNumber } from '../../src/inbound/read-number.ts';
import { countSegments } from '../../src/messages/segments.ts';

let ids = 0;
function rule(matchType: MatchType, keyword: string, createdAt = 0): MatchableRule & { name: string } {
  ids += 1;
  const id = String(ids).padStart(12, '0');
  return {
    id,
    name: keyword,
    matchType,
    foldedKeyword: normalizeText(keyword),
    createdAt: new Date(createdAt),
  };
}

describe('matching', () => {
  test.each<[string, MatchType, string, string, boolean]>([
    ['the same word', 'exact', 'INFO', 'INFO', true],
    ['another case', 'exact', 'Info', 'iNFO', true],
    ['space around and runs of space within', 'exact', 'my info', ' \n My \t INFO ', true],
    ['more text', 'exact', 'INFO', 'INFO please', false],
    ['part of the word', 'exact', 'INFO', 'INF', false],
    ['a composed and a decomposed letter', 'exact', 'café', 'CAFE\u0301', true],
    ['full-width letters', 'exact', 'info', 'ＩＮＦＯ', true],
    ['a sharp s', 'exact', 'STRASSE', 'Straße', true],
    ['both small sigmas', 'contains', 'ΟΔΟΣ', 'οδοςα', true],
    ['marks of direction', 'exact', 'INFO', '\u202aINFO\u200f', true],
    ['Amharic', 'exact', 'ሰላም', ' ሰላም ', true],
    ['Amharic with a suffix', 'starts_with', 'ዋጋ', 'ዋጋው ስንት ነው', true],
    ['Amharic of another word', 'contains', 'ዋጋ', 'ሰላም ዓለም', false],
    ['an Ethiopic digit in compatibility form', 'contains', '5', 'VOTE ⑤', true],
    ['the beginning of a text', 'starts_with', 'VOTE', 'vote 5', true],
    ['the beginning of a word', 'starts_with', 'VOTE', 'vote5', true],
    ['the middle of a text', 'starts_with', 'VOTE', 'I vote', false],
    ['the middle of a text', 'contains', 'VOTE', 'I VOTEd', true],
    ['signs that mean something in patterns', 'contains', '.*%_', 'anything', false],
    ['signs that mean something in patterns', 'contains', '.*%_', 'a.*%_b', true],
    ['an empty text', 'exact', 'INFO', '', false],
    ['a keyword of spaces', 'contains', '  ', 'INFO', false],
    ['a keyword of spaces', 'starts_with', '  ', 'INFO', false],
    ['a keyword of spaces', 'exact', '  ', ' \n', true],
    ['a text of one emoji', 'contains', '👍', 'ok 👍', true],
  ])('%s: %s %j of %j', (...[, matchType, keyword, text, matches]) => {
    expect(matchKeyword(text, [rule(matchType, keyword)]) !== null).toBe(matches);
  });

  test.each<[string, string, [MatchType, string, number?][], string]>([
    [
      'exact goes before a longer starts_with and contains',
      'info',
      [
        ['contains', 'info'],
        ['starts_with', 'inf'],
        ['exact', 'INFO'],
      ],
      'INFO',
    ],
    [
      'starts_with goes before a longer contains',
      'info now',
      [
        ['contains', 'info now'],
        ['starts_with', 'in'],
      ],
      'in',
    ],
    [
      'the longest keyword goes first',
      'information',
      [
        ['starts_with', 'info'],
        ['starts_with', 'information'],
        ['starts_with', 'in'],
      ],
      'information',
    ],
    [
      'of equally long ones the oldest rule',
      'ab',
      [
        ['contains', 'b', 2],
        ['contains', 'a', 1],
      ],
      'a',
    ],
    [
      'lengths are of characters, not of code units',
      'x👍👍yyy',
      [
        ['contains', 'yyy', 2],
        ['contains', '👍👍', 1],
      ],
      'yyy',
    ],
  ])('%s', (...[, text, rules, expected]) => {
    const made = rules.map(([matchType, keyword, at]) => rule(matchType, keyword, at));
    expect(matchKeyword(text, made)?.name).toBe(expected);
    expect(matchKeyword(text, made.toReversed())?.name).toBe(expected);
  });

  const words = fc.array(
    fc.constantFrom('a', 'B', 'ß', 'é', 'e\u0301', 'ሰ', 'ላ', ' ', '1', '👍', 'Σ', 'ς', 'İ'),
    {
      minLength: 1,
      maxLength: 8,
    },
  );

  test('the rule found matches, none that comes before it does, and the order of rules does not matter', () => {
    const rules = fc.array(fc.tuple(fc.constantFrom(...matchTypes), words, fc.integer({ min: 0, max: 3 })), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(words, rules, (text, given) => {
        const made = given.map(([matchType, keyword, at]) => rule(matchType, keyword.join(''), at));
        const found = matchKeyword(text.join(''), made);
        expect(matchKeyword(text.join(''), made.toReversed())).toBe(found);
        const others = made.filter((one) => matchKeyword(text.join(''), [one]) !== null);
        expect(found !== null).toBe(others.length > 0);
        for (const other of others) {
          const rank = ({ matchType, foldedKeyword }: MatchableRule) =>
            matchTypes.indexOf(matchType) * 1000 - Array.from(foldedKeyword).length;
          expect(rank(found!)).toBeLessThanOrEqual(rank(other));
        }
      }),
    );
  });

  test('folding what is folded, composed, decomposed or in another case changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const folded = normalizeText(text);
        expect(normalizeText(folded)).toBe(folded);
        for (const form of ['NFC', 'NFD'] as const) expect(normalizeText(text.normalize(form))).toBe(folded);
        expect(normalizeText(`  ${text}\n`)).toBe(folded);
      }),
    );
    fc.assert(
      fc.property(words, (text) => {
        expect(normalizeText(text.join('').toUpperCase())).toBe(normalizeText(text.join('')));
      }),
    );
  });
});

describe('the words that end and begin sending', () => {
  test.each([
    ...[
      'STOP',
      'stop',
      ' Stop. ',
      '"STOP"',
      'STOP!!!',
      'ｓｔｏｐ',
      'Unsubscribe',
      'END',
      'quit',
      'Cancel',
      'አቁም',
      'አቁም።',
      '¡stop!',
    ].map((text) => [text, 'stop']),
    ...['START', 'start.', ' Start '].map((text) => [text, 'start']),
    ...[
      'STOP it',
      'please stop',
      'STOPPED',
      'S T O P',
      'nonstop',
      'restart',
      'STARTED',
      '',
      '.',
      'አቁምልኝ',
    ].map((text) => [text, undefined]),
  ])('%j is %s', (...[text, request]) => {
    expect(readOptOut(text!)?.request).toBe(request);
  });

  test.each(['stop', 'አቁም', 'start'])('the confirmation of %s is one segment', (word) => {
    expect(countSegments(readOptOut(word)!.confirmation).segments).toBe(1);
  });
});

describe('numbers', () => {
  test.each([
    ['+251911234567', '+251911234567'],
    ['251911234567', '+251911234567'],
    ['00251911234567', '+251911234567'],
    ['0911234567', '+251911234567'],
    ['911234567', '+251911234567'],
    [' 251911234567', '+251911234567'],
    ['447911123456', '+447911123456'],
    ['+447911123456', '+447911123456'],
    ['8080', '8080'],
    ['+8080', '8080'],
    ['EthioTel', 'EthioTel'],
    ['', ''],
    ['+', '+'],
  ])('%j is read as %j', (given, expected) => {
    expect(readNumber(given)).toBe(expected);
    expect(readNumber(readNumber(given))).toBe(expected);
  });
});
