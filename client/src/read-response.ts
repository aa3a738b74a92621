import { SmsApiError, SmsConnectionError, type SmsError } from './errors.ts';
import type { Problem } from './generated/types.ts';

/** Returns the body of an answer; undefined if it has none. */
export async function readJson<Body>(response: Response): Promise<Body> {
  const text = await response.text();
  if (response.status === 204) return undefined as Body;
  const body = parse(text);
  if (body === undefined) {
    throw new SmsConnectionError('The answer is not JSON: baseUrl does not lead to the service.', {
      mayHaveArrived: true,
    });
  }
  return body as Body;
}

/** Turns an answer that is no success into an error. */
export async function readFailure(response: Response): Promise<SmsError> {
  const { status, headers, type } = response;
  if (type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const target = headers.get('location');
    await response.body?.cancel();
    return new SmsApiError(status, {
      detail: `The server redirects${target === null ? '' : ` to ${target}`}: set baseUrl to where the service is.`,
    });
  }
  const problem = parse(await response.text()) as Partial<Problem> | null | undefined;
  // What a proxy answers may be JSON too, but it has no code.
  return new SmsApiError(status, problem?.code === undefined ? {} : problem, retryAfterSeconds(headers));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Reads Retry-After: seconds or a date (RFC 9110, 10.2.3). */
function retryAfterSeconds(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1000);
}
