import { sql } from 'kysely';
import { sqlOf } from '../src/database.ts';
import { isPermanentError } from '../src/permanent-error.ts';
import { createTestDatabase, type TestDatabase } from './helpers/databases.ts';

const withCode = (code: string, more: object = {}) => Object.assign(new Error('x'), { code, ...more });
const wrapped = (cause: unknown) => new Error('while storing', { cause });

// prettier-ignore
test.each<[string, unknown, boolean]>([
  ['a lost connection', withCode('08006'), false],
  ['a serialization failure', withCode('40001'), false],
  ['a deadlock', withCode('40P01'), false],
  ['memory that is used up', withCode('53200'), false],
  ['a disk that is full', withCode('53100'), false],
  ['too many connections', withCode('53300'), false],
  ['a lock that is not to be had', withCode('55P03'), false],
  ['a statement that took too long', withCode('57014'), false],
  ['a server that shuts down', withCode('57P01'), false],
  ['a disk that cannot be read', withCode('58030'), false],
  ['a standby', withCode('25006'), false],
  ['a transaction that was idle for too long', withCode('25P03'), false],
  ['a refused connection', withCode('ECONNREFUSED'), false],
  ['a broken pipe, whose code is as long as a SQLSTATE', withCode('EPIPE'), false],
  ['a pool without a free connection', new Error('timeout exceeded when trying to connect'), false],
  ['a TypeError that fetch makes of a refused connection', new TypeError('fetch failed', { cause: withCode('ECONNREFUSED') }), false],
  ['an error of no known kind', new Error('x'), false],
  ['a code of a library', withCode('ERR_X'), false],
  ['nothing', undefined, false],
  ['a string', 'x', false],

  ['too many arguments', withCode('54023'), true],
  ['a character that cannot be stored', withCode('22P05'), true],
  ['a number out of range', withCode('22003'), true],
  ['a broken constraint', withCode('23505'), true],
  ['a column that there is not', withCode('42703'), true],
  ['a missing privilege', withCode('42501'), true],
  ['a failed transaction', withCode('25P02'), true],
  ['an exception of a trigger', withCode('P0001'), true],
  ['an internal error', withCode('XX000'), true],
  ['one within another error', wrapped(withCode('22P05')), true],
  ['a TypeError', new TypeError('x'), true],
  ['a RangeError', new RangeError('x'), true],
  ['a ReferenceError', new ReferenceError('x'), true],
  ['JSON that cannot be read', new SyntaxError('x'), true],
  ['a lone surrogate in a URL', new URIError('x'), true],
  ['a TypeError within another error', wrapped(new TypeError('x')), true],
])('%s: is permanent or temporary', (...[, error, isPermanent]) => {
  expect(isPermanentError(error)).toBe(isPermanent);
});

describe('as the driver throws them', () => {
  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());

  test.each([
    ['22012', true],
    ['54023', true],
    ['53200', false],
    ['40001', false],
  ])('an error with SQLSTATE %s: permanent is %s', async (code, isPermanent) => {
    const raise = sql.raw(`do $$ begin raise exception 'x' using errcode = '${code}'; end $$`);
    const error: unknown = await sql`${raise}`.execute(sqlOf(db.database)).catch((one: unknown) => one);
    expect(error).toMatchObject({ code });
    expect(isPermanentError(error)).toBe(isPermanent);
  });
});
