import * as fc from 'fast-check';
import { classifySender, type SenderRefusal } from '../../src/sender-ids/sender-value.ts';

describe('a sender with a letter is alphanumeric', () => {
  test.each(['Acme', 'ABC', 'My Bank', 'A-1', 'A_b.c', '7-Eleven', '1a2', 'Info.Desk 24', 'ABCDEFGHIJK'])(
    '%j',
    (value) => {
      const classified = classifySender(value);
      expect(classified).toMatchObject({ kind: 'alphanumeric', value });
    },
  );

  test('of up to 11 characters it has no warning, above it names what handsets would show', () => {
    expect(classifySender('ABCDEFGHIJK')).toEqual({ kind: 'alphanumeric', value: 'ABCDEFGHIJK' });
    expect(classifySender('ABCDEFGHIJKL')).toEqual({
      kind: 'alphanumeric',
      value: 'ABCDEFGHIJKL',
      warning: expect.stringContaining('“ABCDEFGHIJK”'),
    });
    expect(classifySender('ABCDEFGHIJKLMNOPQRST')).toMatchObject({
      kind: 'alphanumeric',
      warning: expect.any(String),
    });
  });
});

describe('a phone number becomes E.164', () => {
  test.each([
    ['+251911234567', '+251911234567'],
    ['0911234567', '+251911234567'],
    ['911234567', '+251911234567'],
    ['251711234567', '+251711234567'],
    ['+251 91 123 4567', '+251911234567'],
    ['+14155552671', '+14155552671'],
    ['+251111234567', '+251111234567'],
  ])('%j', (value, e164) => {
    expect(classifySender(value)).toEqual({ kind: 'number', value: e164 });
  });
});

describe('3 to 8 digits are a short code', () => {
  test.each(['100', '804', '8100', '99999', '812345', '12345678'])('%s', (value) => {
    expect(classifySender(value)).toEqual({ kind: 'short_code', value });
  });
});

describe('any other value is refused', () => {
  test.each<[string, string, SenderRefusal]>([
    ['empty', '', 'length'],
    ['too short', 'AB', 'length'],
    ['too short a code', '12', 'length'],
    ['too long', 'ABCDEFGHIJKLMNOPQRSTU', 'length'],
    ['a space before', ' Acme', 'spacing'],
    ['a space after', 'Acme ', 'spacing'],
    ['two spaces in a row', 'My  Bank', 'spacing'],
    ['an exclamation mark', 'Acme!', 'characters'],
    ['an ampersand', 'A&B', 'characters'],
    ['a plus with letters', '+Acme', 'characters'],
    ['a tab', 'My\tBank', 'characters'],
    ['a line end', 'Acme\n', 'characters'],
    ['a no-break space', 'My\u00a0Bank', 'characters'],
    ['Amharic', 'ሰላምታ', 'characters'],
    ['a Cyrillic letter that looks Latin', 'Аcme', 'characters'],
    ['an umlaut', 'Müller', 'characters'],
    ['full-width digits', '８１００', 'characters'],
    ['Arabic-Indic digits', '٨١٠٠', 'characters'],
    ['marks only', '-_.', 'no_letter'],
    ['spaces only', '   ', 'no_letter'],
    ['a short code in groups', '81-00', 'no_letter'],
    ['a short code with a leading 0', '0123', 'no_letter'],
    ['digits with an underscore', '81_00', 'no_letter'],
    ['an impossible number', '+25191123', 'no_letter'],
    ['a number without its country', '4155552671', 'no_letter'],
  ])('%s: %j', (_name, value, code) => {
    expect(classifySender(value)).toEqual({ kind: 'invalid', code, reason: expect.any(String) });
  });
});

describe('for every value', () => {
  const anyValue = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 24 }),
    fc.stringMatching(/^[A-Za-z0-9 ._-]{1,22}$/),
    fc.stringMatching(/^\+?[0-9]{2,16}$/),
  );

  const form = {
    alphanumeric: /^(?=.*[A-Za-z])[A-Za-z0-9 ._-]{3,20}$/,
    number: /^\+[1-9]\d{6,14}$/,
    short_code: /^[1-9]\d{2,7}$/,
  };

  test('what is accepted follows the contract’s rule', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const classified = classifySender(value);
        fc.pre(classified.kind !== 'invalid');
        expect(classified.value).toMatch(form[classified.kind]);
        expect(value.length >= 3 && value.length <= 20).toBe(true);
        expect('warning' in classified).toBe(classified.kind === 'alphanumeric' && value.length > 11);
      }),
      { numRuns: 1000 },
    );
  });

  test('the value that comes out is classified the same again', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const classified = classifySender(value);
        fc.pre(classified.kind !== 'invalid');
        expect(classifySender(classified.value)).toEqual(classified);
      }),
      { numRuns: 1000 },
    );
  });
});
