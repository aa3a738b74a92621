import * as fc from 'fast-check';
import { classifyDeliveryReport, type DeliveryReport } from '../../src/gateway/delivery-report.ts';

describe('a delivery report is read by Kannel’s bits', () => {
  test.each<[string, DeliveryReport, string]>([
    ['1', 'delivered', 'delivered to the handset'],
    ['2', 'undelivered', 'not delivered to the handset'],
    ['4', 'buffered', 'queued on the SMSC'],
    ['8', 'smsc_accepted', 'taken by the SMSC'],
    ['16', 'smsc_rejected', 'refused by the SMSC'],
    ['32', 'buffered', 'intermediate notification: the SMSC goes on trying'],
    ['3', 'delivered', 'delivered before undelivered'],
    ['9', 'delivered', 'final before taken'],
    ['10', 'undelivered', 'final before taken'],
    ['24', 'smsc_rejected', 'final before taken'],
    ['12', 'buffered', 'in the order of the contract'],
    ['18', 'undelivered', 'in the order of the contract'],
    ['34', 'undelivered', 'DLR_EXPIRED of later builds, 0x22'],
    ['36', 'buffered', 'intermediate and buffered'],
    ['63', 'delivered', 'all the bits'],
  ])('%s is %s (%s)', (status, report) => {
    expect(classifyDeliveryReport(status)).toBe(report);
  });

  test.each([
    ['0', 'DLR_NOTHING'],
    ['-1', 'DLR_UNDEFINED'],
    ['64', 'a bit that is not of the table'],
    ['65', 'such a bit beside delivered'],
    ['66', 'such a bit beside undelivered: DLR_UNKNOWN of later builds, 0x42'],
    ['99', 'such a bit beside 1, 2 and 32'],
    ['127', 'such a bit beside all that are'],
    ['100', 'three digits'],
    ['128', 'no bit of Kannel'],
    ['129', 'a bit of no Kannel beside one that says delivered'],
    ['', 'empty'],
    [' 1', 'not as Kannel prints it'],
    ['1 ', 'not as Kannel prints it'],
    ['1\n', 'not as Kannel prints it'],
    ['+1', 'not as Kannel prints it'],
    ['01', 'not as Kannel prints it'],
    ['1.0', 'not as Kannel prints it'],
    ['1e0', 'not as Kannel prints it'],
    ['0x1', 'not as Kannel prints it'],
    ['١', 'an Arabic-Indic 1'],
    ['delivered', 'a word'],
    ['%d', 'Kannel left its placeholder in'],
    ['4294967297', 'would be 1 in 32 bits'],
    ['9007199254740993', 'beyond exact integers'],
    ['1'.repeat(400), 'would be Infinity'],
    ['NaN', 'a word'],
  ])('%j is unknown (%s)', (status) => {
    expect(classifyDeliveryReport(status)).toBe('unknown');
  });

  test('a value with a final bit is final, whatever bits are beside it', () => {
    const final = ['delivered', 'undelivered', 'smsc_rejected'];
    for (let value = 1; value <= 63; value += 1) {
      expect(final.includes(classifyDeliveryReport(String(value)))).toBe((value & (1 | 2 | 16)) !== 0);
    }
  });

  test('any string is read without an error, and only the integers 1 to 63 mean something', () => {
    const integers = new Set(Array.from({ length: 63 }, (_, index) => String(index + 1)));
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), (status) => {
        fc.pre(!integers.has(status));
        expect(classifyDeliveryReport(status)).toBe('unknown');
      }),
    );
  });
});
