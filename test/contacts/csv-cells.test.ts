import * as fc from 'fast-check';
import { joinTags, neutraliseCell, restoreCell, splitTags } from '../../src/contacts/csv-cells.ts';
import { headerOfCustomField, readColumn } from '../../src/contacts/csv-columns.ts';

const nasty = fc.string({ unit: fc.constantFrom(...Array.from(`'=+-@\t\r\n;,\\"a1 ＝.é`)), maxLength: 8 });

test('whatever a cell holds, restoring what was neutralised gives it back', () => {
  fc.assert(
    fc.property(fc.oneof(nasty, fc.string()), (text) => {
      expect(restoreCell(neutraliseCell(text))).toBe(text);
    }),
  );
});

test.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2+3', "'-2+3"],
  ['\t=1', "'\t=1"],
  ["'=1", "''=1"],
  ['+251911234567', '+251911234567'],
  ['-5', '-5'],
  ["'t Hooft", "'t Hooft"],
  ['አበበ', 'አበበ'],
])('%j is exported as %j', (...[text, cell]) => {
  expect(neutraliseCell(text)).toBe(cell);
});

test('whatever tags there are, splitting what was joined gives them back', () => {
  const tag = nasty.map((text) => text.trim()).filter((text) => text !== '');
  fc.assert(
    fc.property(fc.array(tag), (tags) => {
      expect(splitTags(joinTags(tags))).toEqual(tags);
    }),
  );
});

test('whatever a custom field is called, its column is read as exactly that', () => {
  const name = fc.oneof(
    nasty,
    fc.string(),
    fc.constantFrom('Phone', ' tags', 'customFields', 'customFields.x', 'Rejected Line'),
  );
  fc.assert(
    fc.property(
      name.filter((text) => text !== ''),
      (text) => {
        expect(readColumn(restoreCell(neutraliseCell(headerOfCustomField(text))))).toEqual({
          kind: 'custom',
          name: text,
        });
      },
    ),
  );
});
