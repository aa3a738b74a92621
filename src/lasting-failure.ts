import { isDatabaseUnreachable } from './database.ts';

/**
 * Classes of SQLSTATE (PostgreSQL, appendix A) of what may pass by itself: connections, transactions that were
 * rolled back, resources, objects in use, operators, and the system below.
 */
const passingClasses = new Set(['08', '40', '53', '55', '57', '58']);

/** A standby that is taken for the primary, and a server that ends idle or long transactions: class 25 is else a fault. */
const passingStates = new Set(['25006', '25P03', '25P04']);

/** What JavaScript throws where the code is wrong, or meets a value that nobody has thought of. */
const programmingErrors = new Set([
  'TypeError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'URIError',
  'AssertionError',
]);

/** PostgreSQL's classes begin with a digit, F, H, P or X, and so are told from codes of sockets, such as EPIPE. */
const sqlState = /^(?:[0-9][0-9A-Z]|F0|HV|P0|XX)[0-9A-Z]{3}$/;

/**
 * Whether work that failed fails again however often it is repeated: by a PostgreSQL error that is not about
 * connection, resources or concurrency, or by a programming error. What is not known may pass.
 */
export function isLastingFailure(error: unknown): boolean {
  if (isDatabaseUnreachable(error)) return false;
  // Looked at by shape, as in database.ts.
  let cause = error as { name?: unknown; code?: unknown; cause?: unknown } | null | undefined;
  for (; typeof cause === 'object' && cause !== null; cause = cause.cause as typeof cause) {
    if (typeof cause.code === 'string' && sqlState.test(cause.code)) {
      return !passingStates.has(cause.code) && !passingClasses.has(cause.code.slice(0, 2));
    }
    if (programmingErrors.has(String(cause.name))) return true;
  }
  return false;
}
