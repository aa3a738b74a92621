import * as fc from 'fast-check';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { normalizeRecipient, type RecipientRefusal } from '../../src/messages/recipient.ts';

describe('accepted recipients become canonical E.164', () => {
  test.each([
    ['E.164', '+251911234567', '+251911234567'],
    ['national', '0911234567', '+251911234567'],
    ['local', '911234567', '+251911234567'],
    ['E.164, Safaricom', '+251711234567', '+251711234567'],
    ['national, Safaricom', '0711234567', '+251711234567'],
    ['local, Safaricom', '711234567', '+251711234567'],
    ['a block no metadata knows yet', '+251701234567', '+251701234567'],
    ['a national number of a new block', '0799999999', '+251799999999'],
    ['without +, as an unencoded form field', ' 251911234567', '+251911234567'],
    ['spaces, within 16 characters', '+251 91 123 4567', '+251911234567'],
    ['hyphens', '+251-911-234567', '+251911234567'],
    ['dots', '0911.23.45.67', '+251911234567'],
    ['parentheses', '(091) 123-4567', '+251911234567'],
    ['no-break spaces', '+251\u00a0911\u00a0234567', '+251911234567'],
    ['no-break hyphens', '0911\u2011234567', '+251911234567'],
    ['marks of direction, copied from a phone', '\u202a+251911234567\u202c', '+251911234567'],
    ['the trunk 0 in parentheses', '+251(0)911234567', '+251911234567'],
    ['the trunk 0 after the country code', '+2510911234567', '+251911234567'],
    ['surrounding space', '  0911234567\n', '+251911234567'],
    ['an Ethiopian landline in E.164', '+251111234567', '+251111234567'],
    ['an Ethiopian landline in national form', '0111234567', '+251111234567'],
    ['an Ethiopian landline in local form', '111234567', '+251111234567'],
    ['an Ethiopian landline, with separators', '(011) 123-4567', '+251111234567'],
    ['an Ethiopian landline, its + lost in a form', ' 251111234567', '+251111234567'],
    ['an Ethiopian landline, the trunk 0 after the country code', '+2510111234567', '+251111234567'],
    ['Dire Dawa, whose area code begins like the country code', '0251112345', '+251251112345'],
    ['Dire Dawa in local form', '251112345', '+251251112345'],
    ['Hawassa', '0462201234', '+251462201234'],
    ['an Ethiopian number that begins with 8', '811234567', '+251811234567'],
    ['a possible Ethiopian number in E.164, though no area has it', '+251161234567', '+251161234567'],
    ['United States', '+14155552671', '+14155552671'],
    ['United States, with separators', '+1 (415) 555-2671', '+14155552671'],
    ['United Kingdom, with the trunk 0', '+44(0)7911123456', '+447911123456'],
    ['United Kingdom, spaces before it and within', ' +44 (0)7911 123456', '+447911123456'],
    ['forty characters, the longest that is read', `0911234567${' '.repeat(30)}`, '+251911234567'],
    ['Italy, whose leading 0 belongs to the number', '+390612345678', '+390612345678'],
    ['Saint Helena, the shortest there is', '+2907123', '+2907123'],
    ['fifteen digits, the longest there is', '+878101234567890', '+878101234567890'],
    ['possible, though in no assigned block', '+390000000', '+390000000'],
    ['international networks, of no country', '+883510000000', '+883510000000'],
  ])('%s: %j', (_name, input, e164) => {
    expect(normalizeRecipient(input)).toEqual({ ok: true, e164 });
  });
});

describe('other recipients are refused with a reason', () => {
  test.each<[string, string, RecipientRefusal]>([
    ['empty', '', 'empty'],
    ['blank', '   ', 'empty'],
    ['separators only', '(-) ...', 'empty'],
    ['a plus only', '+', 'not_a_number'],
    ['a word', 'notanumber', 'not_a_number'],
    ['letters for digits', '+251-CALL-NOW', 'not_a_number'],
    ['a digit replaced by a letter', '+25191123456O', 'not_a_number'],
    ['two pluses', '++251911234567', 'not_a_number'],
    ['a plus inside', '251+911234567', 'not_a_number'],
    ['an extension, RFC 3966', '+251911234567;ext=1', 'not_a_number'],
    ['an extension, written x', '+251911234567 x5', 'not_a_number'],
    ['a tel: URI', 'tel:+251911234567', 'not_a_number'],
    ['Arabic-Indic digits', '+٢٥١٩١١٢٣٤٥٦٧', 'not_a_number'],
    ['full-width digits', '０９１１２３４５６７', 'not_a_number'],
    ['a full-width plus', '＋251911234567', 'not_a_number'],
    ['service code', '*804#', 'not_a_number'],
    ['several', '0911234567,0911234568', 'not_a_number'],
    ['a null character', '0911234567\0', 'not_a_number'],
    ['the international prefix', '00251911234567', 'international_prefix'],
    ['one 0 too many, else a number in Myanmar', '00951234567', 'international_prefix'],
    ['no Ethiopian area, in national form', '0161234567', 'country_code_missing'],
    ['no Ethiopian area, in local form', '161234567', 'country_code_missing'],
    ['an Ethiopian landline, a digit too few', '011123456', 'country_code_missing'],
    ['an Ethiopian landline, a digit too many', '01112345678', 'country_code_missing'],
    ['one 0 too many before an Ethiopian landline', '00111234567', 'international_prefix'],
    ['another country in national form', '07911123456', 'country_code_missing'],
    ['another country without +', '14155552671', 'country_code_missing'],
    ['a local number that is too short', '91123456', 'country_code_missing'],
    ['a local number that is too long', '9112345678', 'country_code_missing'],
    ['a local number that begins with 6', '611234567', 'country_code_missing'],
    ['another country without +, with spaces', '1 415 555 2671', 'country_code_missing'],
    ['(0) after a parenthesis that is not closed', '(+44 (0)7911 123456', 'impossible_number'],
    ['forty-one characters', `0911234567${' '.repeat(31)}`, 'too_long'],
    ['a + that was not encoded in a form', ' 14155552671', 'plus_lost'],
    ['a short code', '8100', 'country_code_missing'],
    ['Ethiopia, a digit too few', '+25191123456', 'impossible_number'],
    ['Ethiopia, a digit too many', '+2519112345678', 'impossible_number'],
    ['Ethiopia, two trunk prefixes', '+25100911234567', 'impossible_number'],
    ['a plus before the national form', '+0911234567', 'impossible_number'],
    ['no country', '+999123456789', 'impossible_number'],
    ['United States, a digit too few', '+1415555267', 'impossible_number'],
    ['Germany with two 0, which would be cut one by one', '+4900691234', 'impossible_number'],
    ['sixteen digits', '+8781012345678901', 'impossible_number'],
    ['very long', '0911234567'.repeat(10_000), 'too_long'],
  ])('%s', (_name, input, code) => {
    expect(normalizeRecipient(input)).toEqual({ ok: false, code, reason: expect.any(String) });
  });

  test('the reason fits into a sentence', () => {
    for (const input of ['', 'x', '00', '1', '+1', '1'.repeat(99)]) {
      const result = normalizeRecipient(input);
      expect(!result.ok && result.reason).toMatch(/^[^A-Z].*[^.]$/);
    }
  });
});

describe('for every recipient', () => {
  const mobile = fc
    .tuple(fc.constantFrom('9', '7'), fc.stringMatching(/^[0-9]{8}$/))
    .map(([first, rest]) => first + rest);
  const e164Like = fc.stringMatching(/^\+[1-9][0-9]{5,15}$/);

  const valid = fc
    .stringMatching(/^[1-9][0-9]{8}$/)
    .filter((national) => parsePhoneNumberFromString(`+251${national}`)?.isValid() === true);
  const forms = ['+251', '0', '', '251', '+2510'];

  test.each([
    ['nine digits that begin with 9 or 7', mobile],
    ['a valid Ethiopian number, mobile or fixed', valid],
  ])('all forms of %s become one', (_name, number) => {
    fc.assert(
      fc.property(number, (national) => {
        for (const form of forms) {
          expect(normalizeRecipient(form + national)).toEqual({ ok: true, e164: `+251${national}` });
        }
      }),
    );
  });

  test('an Ethiopian number becomes what libphonenumber makes of it', () => {
    fc.assert(
      fc.property(fc.oneof(mobile, valid), fc.constantFrom('+251', '0', ''), (national, form) => {
        const result = normalizeRecipient(form + national);
        expect(result.ok && result.e164).toBe(parsePhoneNumberFromString(form + national, 'ET')?.number);
      }),
    );
  });

  test('what is valid by the full metadata is accepted as it is', () => {
    fc.assert(
      fc.property(e164Like, (input) => {
        const number = parsePhoneNumberFromString(input);
        // The metadata has German numbers of 16 digits, which E.164 does not allow.
        fc.pre(
          number?.isValid() === true && number.number === input && input.length >= 8 && input.length <= 16,
        );
        expect(normalizeRecipient(input)).toEqual({ ok: true, e164: input });
      }),
      { numRuns: 300 },
    );
  });

  test('what comes out is E.164 and comes out the same again', () => {
    fc.assert(
      fc.property(fc.oneof(e164Like, fc.stringMatching(/^[+0-9 ()-]{1,20}$/)), (input) => {
        const result = normalizeRecipient(input);
        if (!result.ok) return;
        expect(result.e164).toMatch(/^\+[1-9][0-9]{6,14}$/);
        expect(normalizeRecipient(result.e164)).toEqual(result);
      }),
      { numRuns: 5000 },
    );
  });

  test('separators change nothing', () => {
    const separated = fc.array(fc.constantFrom(' ', '-', '.', '(', ')', '\u00a0'), {
      minLength: 13,
      maxLength: 13,
    });
    fc.assert(
      fc.property(mobile, separated, (national, gaps) => {
        const digits = Array.from(`+251${national}`);
        const input = digits.map((digit, index) => digit + gaps[index]!).join('');
        expect(normalizeRecipient(input)).toEqual({ ok: true, e164: digits.join('') });
      }),
    );
  });

  test('no string makes it throw', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (input) => {
        expect(typeof normalizeRecipient(input).ok).toBe('boolean');
      }),
      { numRuns: 1000 },
    );
  });
});
