import { constants } from 'node:os';
import { SmsApiError, SmsConnectionError, SmsTimeoutError } from 'sms-service-client';
import { exitCodes, type Outcome } from './exit-codes.ts';

/** An error of the command line itself. Its message says what is wrong and what to do. */
export class CliError extends Error {
  override name = 'CliError';
  readonly outcome: Outcome;
  /** Stable, for programs. */
  readonly code: string;

  constructor(outcome: Outcome, code: string, message: string) {
    super(message);
    this.outcome = outcome;
    this.code = code;
  }
}

/** The command, an argument or an option is wrong. */
export class UsageError extends CliError {
  override name = 'UsageError';

  constructor(message: string) {
    super('usage', 'usage', message);
  }
}

/** A signal ended the command. */
export class Interrupted extends Error {
  override name = 'Interrupted';
  readonly exitCode: number;

  constructor(signal: NodeJS.Signals) {
    super(`${signal} ended the command.`);
    this.exitCode = 128 + constants.signals[signal];
  }
}

/** How an error is reported: a problem (RFC 9457) with the exit code. */
export interface Report {
  type: string;
  code: string;
  detail: string;
  exitCode: number;
  status?: number;
  requestId?: string;
  errors?: SmsApiError['errors'];
}

/** Returns the report of any error. An error that is none of the service, the network or the usage is a bug. */
export function reportOf(error: unknown): Report {
  if (error instanceof SmsApiError) return reportOfApi(error);
  const [outcome, code, detail] = describe(error);
  return { type: 'about:blank', code, detail, exitCode: exitCodes[outcome].code };
}

function reportOfApi({ status, code, detail, type, requestId, errors }: SmsApiError): Report {
  return {
    type: type ?? 'about:blank',
    status,
    code,
    detail,
    ...(requestId !== null && { requestId }),
    ...(errors.length > 0 && { errors }),
    exitCode: exitCodes[outcomeOf(status)].code,
  };
}

function outcomeOf(status: number): Outcome {
  if (status === 401 || status === 403) return 'refused';
  if (status === 404) return 'notFound';
  if (status === 503) return 'unreachable';
  return status >= 400 && status < 500 ? 'invalid' : 'failed';
}

function describe(error: unknown): [Outcome, string, string] {
  if (error instanceof CliError) return [error.outcome, error.code, error.message];
  if (error instanceof SmsConnectionError) {
    return [
      'unreachable',
      'unreachable',
      `${error.message} Is the service running? \`sms doctor\` looks for the reason.`,
    ];
  }
  if (error instanceof SmsTimeoutError) return ['failed', 'timeout', error.message];
  const { code, message, path } = error as NodeJS.ErrnoException;
  // What reads an open file, such as a directory, fails without naming it.
  if (code !== undefined && (path !== undefined || code === 'EISDIR')) return ['usage', 'file', message];
  if (code === 'ENOSPC') return ['failed', 'file', message];
  return ['failed', 'internal', error instanceof Error ? (error.stack ?? error.message) : String(error)];
}
