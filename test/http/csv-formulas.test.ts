import * as fc from 'fast-check';
import { neutraliseCell, restoreCell } from '../../src/http/csv-formulas.ts';

const nasty = fc.string({ unit: fc.constantFrom(...Array.from(`'=+-@\t\r\n;,|\\"a1 ＝.é`)), maxLength: 12 });

test('whatever a cell holds, restoring what was neutralised gives it back', () => {
  fc.assert(
    fc.property(fc.oneof(nasty, fc.string()), (text) => {
      expect(restoreCell(neutraliseCell(text))).toBe(text);
    }),
    { numRuns: 5000 },
  );
});

test('wherever a spreadsheet separates, no cell but a number begins like a formula', () => {
  const isNumber = (cell: string) => /^[+-]?\d+([.,]\d+)?[\]}]*$/.test(cell);
  const separators = [/$/, /[;\r\n]/, /[\t\r\n]/, /[,\r\n]/, /[|\r\n]/, /["]/, /[;,\t|"\r\n]/];
  fc.assert(
    fc.property(nasty, fc.constantFrom(...separators), (text, separator) => {
      const cells = neutraliseCell(text).split(separator);
      expect(cells.filter((cell) => /^[=+\-@＝＋－＠]/.test(cell) && !isNumber(cell))).toEqual([]);
    }),
    { numRuns: 10_000 },
  );
});

test.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2+3', "'-2+3"],
  ['\t=1', "'\t'=1"],
  ["'=1", "''=1"],
  ['a;=1+1', "a;'=1+1"],
  ['a\t@SUM(A1)', "a\t'@SUM(A1)"],
  ['a\n-2+3', "a\n'-2+3"],
  ['a\r\n=1', "a\r\n'=1"],
  ['"=1"', `"'=1"`],
  ['a|+1+1', "a|'+1+1"],
  ["a;'=1", "a;''=1"],
  [';"=1', `;"'=1`],
  ['+251911234567;=1', "'+251911234567;'=1"],
  ["+1,5+cmd|' /C calc'!A0", "'+1,5+cmd|' /C calc'!A0"],
  ['-1,2+cmd|x', "'-1,2+cmd|x"],
  ['-1,HYPERLINK("http://x")', `'-1,HYPERLINK("http://x")`],
  ['+1|cmd!A0', "'+1|cmd!A0"],
  ['+1"&A1', `'+1"&A1`],
  ['+1;2', "'+1;2"],
  ['+1\n+2', "'+1\n+2"],
  ['-1]+cmd', "'-1]+cmd"],
  ['a;+1,5+cmd|x', "a;'+1,5+cmd|x"],
  ['a;"+1"+cmd|x', `a;"'+1"'+cmd|x`],
  ['-3', '-3'],
  ['+1.5', '+1.5'],
  ['+1,5', '+1,5'],
  ['+251911234567', '+251911234567'],
  ['a;+251911234567', 'a;+251911234567'],
  ['{"phone":"+251911234567","points":[1,-5]}', '{"phone":"+251911234567","points":[1,-5]}'],
  ['-5', '-5'],
  ["'t Hooft", "'t Hooft"],
  ['1 + 1 = 2, a-b', '1 + 1 = 2, a-b'],
  ['a\r\nb', 'a\r\nb'],
  ['አበበ', 'አበበ'],
])('%j is exported as %j', (text, cell) => {
  expect(neutraliseCell(text)).toBe(cell);
});
