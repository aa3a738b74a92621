import { SmsError, type SmsClient } from 'sms-service-client';
import { checkKey, readSession } from '../check-credential.ts';
import type { Context } from '../context.ts';
import { createClient } from '../create-client.ts';
import { CliError } from '../errors.ts';
import type { Finding } from './finding.ts';

/** Webhooks are refused beyond 300 s. A clock that is kept by NTP is right within a second. */
const largestClockDifferenceSeconds = 10;

/** Checks the service as a caller sees it. */
export async function* checkService(context: Context): AsyncGenerator<Finding> {
  const { signal } = context;
  const { baseUrl, apiKey, token } = context.credentials();
  let answered: { dateMs: number; atMs: number } | undefined;
  const measured: typeof fetch = async (...request) => {
    const startedAtMs = Date.now();
    const response = await fetch(...request);
    const date = Date.parse(response.headers.get('date') ?? '');
    // The service wrote the date somewhere between the request and the answer.
    if (!Number.isNaN(date)) answered = { dateMs: date, atMs: (startedAtMs + Date.now()) / 2 };
    return response;
  };
  const options = { baseUrl, maxRetries: 0, timeoutSeconds: 10, fetch: measured };
  const sms = createClient({ ...options, apiKey, token });
  try {
    await sms.health.get({ signal });
    yield { check: 'service', outcome: 'ok', detail: `${baseUrl} answers.` };
  } catch (error) {
    signal.throwIfAborted();
    yield {
      check: 'service',
      outcome: 'failed',
      detail: `${baseUrl}: ${messageOf(error)} Start the service, or set SMS_BASE_URL to where it is.`,
    };
    return;
  }
  yield* checkParts(sms, signal);
  yield checkClock(answered);
  yield await checkCredential(sms, { apiKey, token }, signal);
}

async function* checkParts(sms: SmsClient, signal: AbortSignal): AsyncGenerator<Finding> {
  const { parts } = await sms.health.ready({ signal });
  for (const [name, state] of Object.entries(parts)) {
    const part = name === 'temporal' ? 'Temporal' : name;
    const check = `service's ${name}`;
    if (state === 'up') yield { check, outcome: 'ok', detail: `The service reaches its ${part}.` };
    else {
      const effect =
        name === 'temporal'
          ? 'Messages are accepted, and sent once it is back.'
          : 'The service accepts nothing until it is back.';
      yield {
        check,
        outcome: 'failed',
        detail: `The service does not reach its ${part}. ${effect} Check that ${part} runs.`,
      };
    }
  }
}

function checkClock(answered: { dateMs: number; atMs: number } | undefined): Finding {
  const check = 'clock';
  if (answered === undefined) return { check, outcome: 'skipped', detail: 'The answer has no date.' };
  const seconds = Math.round((answered.atMs - answered.dateMs) / 1000);
  if (Math.abs(seconds) <= largestClockDifferenceSeconds) {
    return { check, outcome: 'ok', detail: 'This machine and the service have the same time.' };
  }
  return {
    check,
    outcome: 'failed',
    detail:
      `The clock of this machine is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} that of the service. ` +
      'Synchronize both with NTP: receivers refuse webhooks that differ by 300 s.',
  };
}

async function checkCredential(
  sms: SmsClient,
  { apiKey, token }: { apiKey: string | undefined; token: string | undefined },
  signal: AbortSignal,
): Promise<Finding> {
  const check = 'credential';
  if (apiKey === undefined && token === undefined) {
    return { check, outcome: 'skipped', detail: 'Nobody is signed in. `sms login` signs in.' };
  }
  try {
    if (apiKey !== undefined) await checkKey(sms, signal);
    else await readSession(sms, signal);
    return {
      check,
      outcome: 'ok',
      detail: `The service accepts the ${apiKey === undefined ? 'session' : 'API key'}.`,
    };
  } catch (error) {
    signal.throwIfAborted();
    return { check, outcome: 'failed', detail: `${messageOf(error)} Run \`sms login\`.` };
  }
}

function messageOf(error: unknown): string {
  if (error instanceof SmsError || error instanceof CliError) return error.message;
  return String(error);
}
