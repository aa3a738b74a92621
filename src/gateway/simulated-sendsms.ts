import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { kannelAnswers } from './kannel-answers.ts';
import type { KannelAnswer } from './kannel-answers.ts';

/** The parameters of one submission, with their names in the query, for GET and POST. */
export type Parameters = { get(name: string): string | null };

export type Credentials = { username: string; password: string };

const BODY_LIMIT_BYTES = 64 * 1024;
/** The maximum that Debian's Kannel 1.4.5 accepts. */
const MOST_REPORT_MASK = 66;
const MOST_CODING = 2;

/** Reads the parameters of a request to sendsms. If they cannot be read, returns the error response instead. */
export async function readParameters(
  request: IncomingMessage,
  query: string,
): Promise<Parameters | KannelAnswer> {
  return request.method === 'POST' ? readPost(request) : new URLSearchParams(query);
}

/**
 * Returns the response with which Kannel refuses a submission, or undefined if Kannel accepts it. These are Kannel's
 * checks in its order (gw/smsbox.c: authorise_user, smsbox_req_sendsms, smsbox_req_handle), and one more: see
 * callbackBase.
 *
 * @param callbackBase the URL below which a dlr-url must be; ends with a slash
 */
export function findFault(
  parameters: Parameters,
  credentials: Credentials | undefined,
  callbackBase: URL,
): KannelAnswer | undefined {
  const username = parameters.get('username') ?? parameters.get('user');
  const password = parameters.get('password') ?? parameters.get('pass');
  if (username === null || password === null) return kannelAnswers.authorizationFailed;
  if (credentials && (username !== credentials.username || password !== credentials.password)) {
    return kannelAnswers.authorizationFailed;
  }
  const to = parameters.get('to');
  if (to === null) return kannelAnswers.receiverMissing;
  if (to === '') return kannelAnswers.receiverEmpty;
  if (!/^[0-9+ -]+$/.test(to)) return kannelAnswers.receiverDenied;
  if (!parameters.get('from')) return kannelAnswers.senderMissing;
  const reportUrl = parameters.get('dlr-url');
  // Kannel has no such check. Without it, any client of the simulator could make it call other hosts.
  if (reportUrl && !isBelow(callbackBase, reportUrl)) return kannelAnswers.deliveryReportUrlMalformed;
  if (!isWithin(parameters.get('dlr-mask'), MOST_REPORT_MASK))
    return kannelAnswers.deliveryReportMaskMalformed;
  if (!isWithin(parameters.get('coding'), MOST_CODING)) return kannelAnswers.codingMalformed;
  if (!isKnownCharset(parameters.get('charset'))) return kannelAnswers.textMalformed;
  return undefined;
}

function isBelow(base: URL, url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.origin === base.origin && parsed.pathname.startsWith(base.pathname);
}

function isWithin(value: string | null, most: number): boolean {
  const number = readNumber(value);
  return number >= -1 && number <= most;
}

/** Kannel reads a missing number, and a value that is not a number, as -1. */
export function readNumber(value: string | null): number {
  const number = Number.parseInt(value ?? '', 10);
  return Number.isNaN(number) ? -1 : number;
}

function isKnownCharset(charset: string | null): boolean {
  if (charset === null || charset === 'UTF-8') return true;
  try {
    return new TextDecoder(charset).encoding !== '';
  } catch {
    return false;
  }
}

/**
 * Reads a POST as Kannel does: the text is the body, and the parameters are X-Kannel headers. For any other POST,
 * returns the error response instead.
 */
async function readPost(request: IncomingMessage): Promise<Parameters | KannelAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_LIMIT_BYTES) throw new Error('the body is too long');
    chunks.push(chunk);
  }
  const contentType = request.headers['content-type'] ?? '';
  if (!/^text\/plain\b/i.test(contentType)) return kannelAnswers.invalidContentType;
  return fromKannelHeaders(request.headers, Buffer.concat(chunks).toString());
}

function fromKannelHeaders(headers: IncomingHttpHeaders, text: string): Parameters {
  return {
    get(name) {
      if (name === 'text') return text;
      const value = headers[`x-kannel-${name}`];
      return typeof value === 'string' ? value : null;
    },
  };
}
