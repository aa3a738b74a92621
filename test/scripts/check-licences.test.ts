import { findRefused, isAllowedLicence } from '../../scripts/check-licences.ts';

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['Apache-2.0 AND MIT', true],
  ['MIT AND GPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['AGPL-3.0-or-later', false],
  ['SEE LICENSE IN LICENSE', false],
  ['UNLICENSED', false],
])('%s is allowed: %s', (expression, expected) => {
  expect(isAllowedLicence(expression)).toBe(expected);
});

test('a package with a licence that is unknown or not allowed is named, and one for another machine is passed over', () => {
  const packages = {
    '': { license: 'UNLICENSED' },
    client: {},
    'node_modules/client': { link: true },
    'node_modules/good': { license: 'MIT' },
    'node_modules/old': {},
    'node_modules/a/node_modules/bad': { license: 'AGPL-3.0-only' },
    'node_modules/silent': {},
    'node_modules/@x/for-windows': { optional: true },
  };
  const installed = (path: string) => (path === 'node_modules/old' ? 'ISC' : undefined);
  expect(findRefused(packages, installed)).toEqual(['bad: AGPL-3.0-only', 'silent: unknown']);
});
