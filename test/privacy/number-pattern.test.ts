import { maskNumber, patternOfNumber } from '../../src/privacy/number-pattern.ts';

test.each([
  ['+251911234567', '+251*******67'],
  ['+14155550123', '+141******23'],
  ['+1234567', '+123**67'],
  ['8080', '****'],
])('%s is masked as %s', (number, masked) => {
  expect(maskNumber(number)).toBe(masked);
  expect(masked).toHaveLength(number.length);
});

test.each([
  ...['+251911234567', '251911234567', '0911234567', '911234567', '+251 91 123 4567', '0911-23-45-67'],
  '+2510911234567',
])('a text with %s has the number, and keeps none of its digits', (spelling) => {
  const text = `Call ${spelling}.`.replace(new RegExp(patternOfNumber('+251911234567'), 'g'), '*');
  expect(text).toBe('Call *.');
});

test.each(['+251911234568', '+14155550123', '091123456'])(
  'a text with %s does not have the number',
  (other) => {
    expect(other).not.toMatch(new RegExp(patternOfNumber('+251911234567')));
  },
);
