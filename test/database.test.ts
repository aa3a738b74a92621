import { isDatabaseUnreachable } from '../src/database.ts';

test.each([
  'Connection terminated unexpectedly',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])('%j means that the database cannot be reached, behind whatever error it stands', (message) => {
  expect(isDatabaseUnreachable(new Error('rollback failed', { cause: new Error(message) }))).toBe(true);
});

test.each([
  ['a full disk', '53100'],
  ['too many clients', '53300'],
  ['a standby that was the primary', '25006'],
  ['a server that shuts down', '57P01'],
])('%s (%s) means that the database cannot serve now', (_what, code) => {
  expect(isDatabaseUnreachable(Object.assign(new Error('refused'), { code }))).toBe(true);
});

test('an error of the statement does not', () => {
  expect(isDatabaseUnreachable(Object.assign(new Error('duplicate key'), { code: '23505' }))).toBe(false);
});
