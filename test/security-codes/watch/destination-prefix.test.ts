import { assert, property, stringMatching } from 'fast-check';
import { destinationPrefix, longestPrefix } from '../../../src/security-codes/watch/destination-prefix.ts';

test.each([
  ['+251911234567', '+251911', 'Ethio Telecom, a calling code of three digits'],
  ['+12025550123', '+1202', 'the area code of a calling code of one digit'],
  ['+447911123456', '+44791', 'a calling code of two digits'],
  ['+79161234567', '+7916', 'a calling code that two countries share'],
  ['+883510001234567', '+883510', 'a calling code of no country'],
  ['+2901234', '+290123', 'the shortest number'],
])('the prefix of %s is %s: %s', (number, prefix) => {
  expect(destinationPrefix(number)).toBe(prefix);
});

test('the first characters of a number are enough to tell its prefix', () => {
  assert(
    property(stringMatching(/^\+[1-9][0-9]{6,14}$/), (number) => {
      const prefix = destinationPrefix(number);
      expect(destinationPrefix(number.slice(0, longestPrefix))).toBe(prefix);
      expect(number.startsWith(prefix)).toBe(true);
    }),
  );
});
