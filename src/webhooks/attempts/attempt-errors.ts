import type { Schemas } from '../../http/contract/contract-types.ts';

/**
 * Why an attempt of a webhook delivery failed: each code that is stored or shown, and what the webhook's owner can do.
 * `{status}` is the HTTP status of the response. Tenants read these texts, so they reveal nothing about the operator's
 * network.
 */
const messages = {
  timeout:
    'No complete response arrived within 10 seconds. Respond with 2xx first and do slow work afterwards. Check that your firewall allows the connection.',
  connect_timeout:
    'The connection, including TLS, was not established within 5 seconds. Check that the host is running and that its firewall allows the connection.',
  connection_refused:
    'The host refused the connection on the port of the URL. Start the receiver, or correct the URL.',
  connection_lost:
    'The receiver closed the connection before it responded. Check its log and the log of its proxy.',
  host_unreachable: 'There is no route to the host. Check its address in DNS and its network.',
  host_not_found: 'DNS has no address for the host of the URL. Correct the URL, or publish an address.',
  dns_unavailable: 'DNS did not respond for the host of the URL. Check its name servers.',
  address_not_public:
    'The host has an address that is not public. Webhooks are sent to public addresses only. Publish a public address, or ask the operator to allow the host.',
  tls_self_signed:
    'The certificate is self-signed. Use one from a public certificate authority, for example Let’s Encrypt.',
  tls_untrusted:
    'The certificate authority is not trusted, or the server does not send the intermediate certificates. Serve the complete chain.',
  tls_wrong_host:
    'The certificate is for another host name. Use one that names the host of the URL, or correct the URL.',
  tls_expired: 'The certificate has expired. Renew it.',
  tls_not_yet_valid: 'The certificate is not valid yet. Check the clock of the server that issued it.',
  tls_failed:
    'The TLS handshake failed. Check that the port serves https, with TLS 1.2 or newer and a valid certificate.',
  http2_only:
    'The receiver supports HTTP/2 only. Webhooks are sent with HTTP/1.1. Enable HTTP/1.1 on the receiver.',
  answer_headers_too_large: 'The response headers are larger than 16 KiB. Send fewer or shorter headers.',
  not_http:
    'The response is not HTTP. Check that the URL has the port of the receiver and the right scheme, http or https.',
  secret_unreadable:
    'The signing secret cannot be read, so nothing was sent. The operator must give the workers the same SECURITY_CODE_PEPPER as the API. Then redrive the delivery.',
  request_failed: 'The request failed. Check that the URL can be reached from the Internet by POST.',
  gone: 'The receiver responded with 410: it wants no more events, so the delivery is not retried. Redrive it when the receiver is back.',
  redirected:
    'The receiver responded with {status}. Redirects are not followed. Use the URL that the redirect points to.',
  http_error:
    'The receiver responded with {status}. Store the event and respond with 2xx within 10 seconds. See the response body and the receiver’s log for details.',
} as const;

/** A code that is stored with an attempt that got no complete response. The other codes follow from the status. */
export type AttemptErrorCode = keyof typeof messages;

/** Every code, for filters. */
export const attemptErrorCodes = Object.keys(messages) as AttemptErrorCode[];

/** What went wrong with an attempt, as its record shows it. */
export type AttemptError = NonNullable<Schemas['WebhookAttempt']['error']> & { code: AttemptErrorCode };

/**
 * Describes the error of an attempt that has ended.
 *
 * @param ended.error the stored code; an unknown code, stored by an older version, becomes `request_failed`
 * @returns null if the receiver accepted the event
 */
export function describeAttemptError(ended: {
  status: number | null;
  error: string | null;
}): AttemptError | null {
  const { status, error } = ended;
  if (error === null && status !== null && status >= 200 && status < 300) return null;
  const code = error === null ? codeOfStatus(status) : isCode(error) ? error : 'request_failed';
  return { code, message: messages[code].replace('{status}', String(status)) };
}

function codeOfStatus(status: number | null): AttemptErrorCode {
  if (status === null) return 'request_failed';
  if (status === 410) return 'gone';
  // A 304 leads nowhere: it says that the receiver has the event already, which no receiver can know (RFC 9110, 15.4.5).
  return status >= 300 && status < 400 && status !== 304 ? 'redirected' : 'http_error';
}

function isCode(text: string): text is AttemptErrorCode {
  return Object.hasOwn(messages, text);
}

/** A server that supports HTTP/2 only begins every response with a SETTINGS frame (RFC 9113, 6.5). */
// oxlint-disable-next-line no-control-regex
const settingsFrame = /^\0\0[^]\x04\0/;

/** Codes of Node, OpenSSL and undici, and our code for each. The first match decides. */
const causes: readonly (readonly [RegExp, AttemptErrorCode])[] = [
  [/^WEBHOOK_ADDRESS_NOT_PUBLIC$/, 'address_not_public'],
  [/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/, 'connect_timeout'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_CLOSED|UND_ERR_DESTROYED)$/, 'connection_lost'],
  [/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN)$/, 'host_unreachable'],
  [/^(ENOTFOUND|ENODATA)$/, 'host_not_found'],
  [/^(EAI_\w+|ESERVFAIL|ETIMEOUT)$/, 'dns_unavailable'],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, 'tls_self_signed'],
  [
    /^(SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|CERT_UNTRUSTED|CERT_CHAIN_TOO_LONG|INVALID_CA)$/,
    'tls_untrusted',
  ],
  [/^ERR_TLS_CERT_ALTNAME_\w+$/, 'tls_wrong_host'],
  [/^CERT_HAS_EXPIRED$/, 'tls_expired'],
  [/^CERT_NOT_YET_VALID$/, 'tls_not_yet_valid'],
  [/NO_APPLICATION_PROTOCOL/, 'http2_only'],
  [/^(ERR_SSL_\w+|ERR_TLS_\w+|CERT_\w+|EPROTO)$/, 'tls_failed'],
  [/^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/, 'answer_headers_too_large'],
  [/^UND_ERR_RES_\w+$/, 'not_http'],
];

/** Returns the code of a failed request. Error texts may contain addresses, so they are not used. Never throws. */
export function codeOfFailure(error: unknown): AttemptErrorCode {
  let cause = error as
    { name?: unknown; code?: unknown; data?: unknown; cause?: unknown; errors?: unknown[] } | undefined;
  for (let depth = 0; typeof cause === 'object' && cause !== null && depth < 10; depth += 1) {
    if (cause.name === 'TimeoutError') return 'timeout';
    const { code } = cause;
    const known = causes.find(([pattern]) => typeof code === 'string' && pattern.test(code));
    if (known) return known[1];
    // Most errors of undici's parser have a name but no code.
    if (cause.name === 'HTTPParserError')
      return settingsFrame.test(String(cause.data)) ? 'http2_only' : 'not_http';
    // A host with several addresses fails with one error for each.
    cause = (cause.cause ?? cause.errors?.[0]) as typeof cause;
  }
  return 'request_failed';
}
