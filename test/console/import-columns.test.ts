import {
  changeMeaning,
  recognizeColumns,
  toStoredNumber,
  withMeanings,
} from '../../console/src/features/contacts/import/map-columns.ts';
import { parseCsv } from '../../console/src/features/contacts/import/parse-csv.ts';
import { readHeader } from '../../src/contacts/import/read-header.ts';
import { normalizeRecipient } from '../../src/messages/recipient.ts';

const files: [name: string, text: string][] = [
  ['commas', 'Phone,First name\n0911000001,Abebe\n'],
  ['semicolons', 'Phone;First name;Town\r\n0911000001;Abebe;Adama\r\n'],
  ['a byte order mark', '\ufeffስልክ,ስም\n0911000001,አበበ\n'],
  ['a separator line', 'sep=;\nPhone;"Town; old"\n0911000001;Adama\n'],
  ['quotes and line breaks in the header', '"Phone","Note, ""long""\nline"\n0911000001,x\n'],
];

test.each(files)('a file with %s has the columns that the import reads', (_name, text) => {
  const { headers, delimiter } = readHeader(Buffer.from(text), true);
  expect(parseCsv(text)).toMatchObject({ headers, delimiter });
});

test.each(files)(
  'the import reads what was chosen for the columns of a file with %s',
  async (_name, text) => {
    const csv = parseCsv(text)!;
    const meanings = changeMeaning(recognizeColumns(csv.headers), 1, 'company');
    const changed = await withMeanings(new File([text], 'a.csv'), text, csv, meanings).text();
    const { headers, nextByte } = readHeader(Buffer.from(changed), true);
    expect(recognizeColumns(headers)).toEqual(meanings);
    // The rows are the same, to the byte.
    const before = Buffer.from(text).subarray(readHeader(Buffer.from(text), true).nextByte);
    expect(Buffer.from(changed).subarray(nextByte)).toEqual(before);
  },
);

test.each(['0911234567', '+251 911-234-567', '251911234567', '911234567', '+2510911234567', '+14155550100'])(
  'the number %s is found among the contacts as the service stores it',
  (entered) => {
    expect(normalizeRecipient(entered)).toEqual({ ok: true, e164: toStoredNumber(entered) });
  },
);
