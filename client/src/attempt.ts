import { SmsConnectionError, SmsError } from './errors.ts';

/** One attempt of a request, with its time limit and the signal of the caller. */
export interface Attempt {
  /** Aborted when the caller's signal is, or when the time is over. */
  readonly signal: AbortSignal;
  /** Runs a step of the attempt and turns its failure into a SmsConnectionError, or the reason of the caller's signal. */
  guard: <Result>(step: () => Promise<Result>) => Promise<Result>;
  /** Ends the time limit: what follows may take any time. */
  stopTimer: () => void;
  /** Aborts what is still running. */
  abort: () => void;
  /** Releases the timer and the caller's signal. */
  end: () => void;
}

/** Begins an attempt. It must be ended. */
export function beginAttempt(callerSignal: AbortSignal | undefined, timeoutSeconds: number): Attempt {
  const controller = new AbortController();
  let isTimeOver = false;
  const stopForCaller = (): void => controller.abort(callerSignal!.reason);
  if (callerSignal?.aborted) stopForCaller();
  callerSignal?.addEventListener('abort', stopForCaller, { once: true });
  const timer = setTimeout(() => {
    isTimeOver = true;
    controller.abort();
  }, timeoutSeconds * 1000);
  return {
    signal: controller.signal,
    guard: async (step) => {
      try {
        return await step();
      } catch (error) {
        if (error instanceof SmsError) throw error;
        if (callerSignal?.aborted) throw callerSignal.reason;
        throw isTimeOver
          ? new SmsConnectionError(`No complete answer within ${timeoutSeconds} s.`, {
              mayHaveArrived: true,
              cause: error,
            })
          : connectionErrorOf(error);
      }
    },
    stopTimer: () => clearTimeout(timer),
    abort: () => controller.abort(),
    end: () => {
      clearTimeout(timer);
      callerSignal?.removeEventListener('abort', stopForCaller);
    },
  };
}

/**
 * Failures before a byte of the request was sent, as Node (with undici) and Bun name them. Browsers tell nothing about
 * a failure, so there every one counts as one after which the request may have arrived.
 */
const failuresBeforeSending = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['ConnectionRefused', 'FailedToOpenSocket'],
]);

function connectionErrorOf(error: unknown): SmsConnectionError {
  const causes = causesOf(error);
  const codes = causes.flatMap(({ code }) => (typeof code === 'string' ? [code] : []));
  const words = causes.at(-1)?.message || codes.at(-1) || 'the connection failed';
  return new SmsConnectionError(`The service did not answer: ${words}.`, {
    mayHaveArrived: !codes.some((code) => failuresBeforeSending.has(code)),
    cause: error,
  });
}

/** An error and its causes, outermost first. When all addresses of a host fail, the first one stands for them. */
function causesOf(error: unknown): { code?: unknown; message?: string; cause?: unknown }[] {
  const causes: { code?: unknown; message?: string; cause?: unknown; errors?: unknown[] }[] = [];
  let current = error as (typeof causes)[number] | undefined;
  while (typeof current === 'object' && current !== null && causes.length < 5) {
    causes.push(current);
    current = (current.cause ?? current.errors?.[0]) as typeof current;
  }
  return causes;
}
