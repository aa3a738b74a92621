import * as fc from 'fast-check';
import { joinTags, splitTags } from '../../src/contacts/csv-cells.ts';
import { headerOfCustomField } from '../../src/contacts/csv-columns.ts';
import { readColumn } from '../../src/contacts/read-column.ts';
import { neutraliseCell, restoreCell } from '../../src/http/csv-formulas.ts';

const nasty = fc.string({ unit: fc.constantFrom(...Array.from(`'=+-@\t\r\n;,\\"a1 ＝.é`)), maxLength: 8 });

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
