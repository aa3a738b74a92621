import { isDatabaseUnreachable } from './database.ts';

/**
 * The SQLSTATE classes (PostgreSQL, appendix A) of errors that may be temporary: connections, transactions that were
 * rolled back, resources, objects in use, operator intervention, and system errors.
 */
const temporaryClasses = new Set(['08', '40', '53', '55', '57', '58']);

/**
 * A standby that is mistaken for the primary, and a server that ends idle or long transactions. The rest of class 25 is
 * a programming error.
 */
const temporaryStates = new Set(['25006', '25P03', '25P04']);

/** The JavaScript errors of incorrect code, or of a value that the code does not expect. */
const programmingErrors = new Set([
  'TypeError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'URIError',
  'AssertionError',
]);

/** PostgreSQL's classes begin with a digit, F, H, P or X, which distinguishes them from socket codes such as EPIPE. */
const sqlState = /^(?:[0-9][0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/;

/**
 * Returns whether an error is permanent, so that the work fails on every retry: a PostgreSQL error that does not concern
 * connection, resources or concurrency, or a programming error. Any other error counts as temporary.
 */
export function isPermanentError(error: unknown): boolean {
  if (isDatabaseUnreachable(error)) return false;
  // Checked by shape, as in database.ts.
  let cause = error as { name?: unknown; code?: unknown; cause?: unknown } | null | undefined;
  for (; typeof cause === 'object' && cause !== null; cause = cause.cause as typeof cause) {
    if (typeof cause.code === 'string' && sqlState.test(cause.code)) {
      return !temporaryStates.has(cause.code) && !temporaryClasses.has(cause.code.slice(0, 2));
    }
    if (programmingErrors.has(String(cause.name))) return true;
  }
  return false;
}
