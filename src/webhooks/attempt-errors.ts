/**
 * Why an attempt of a webhook delivery failed: each code that is stored or shown, and what the one who set the
 * webhook can do. `{status}` is the answer's. Tenants read these, so none tells of the operator's network.
 */
const messages = {
  timeout:
    'No whole answer came within 10 seconds. Answer 2xx first and do slow work afterwards; check that a firewall lets us in.',
  connect_timeout:
    'The host took no connection, TLS included, within 5 seconds. Check that it is up and that its firewall lets us in.',
  connection_refused:
    'Nothing listens at the host and port of the URL. Start the receiver, or correct the URL.',
  connection_lost:
    'The receiver closed the connection before it had answered. Look into its log, and that of the proxy before it.',
  host_unreachable: 'There is no route to the host. Check its address in DNS and its network.',
  host_not_found: 'DNS has no address for the host of the URL. Correct the URL, or publish an address.',
  dns_unavailable: 'DNS did not answer for the host of the URL. Check its name servers.',
  address_not_public:
    'The host has an address that is not public, and webhooks go to public addresses only. Publish a public address, or ask the operator to allow the host.',
  tls_self_signed:
    'The certificate is self-signed. Use one of a public certificate authority, such as Let’s Encrypt.',
  tls_untrusted:
    'The certificate is of no authority that we trust, or the server does not send the intermediate certificates. Serve the whole chain.',
  tls_wrong_host:
    'The certificate is for another host name. Use one that names the host of the URL, or correct the URL.',
  tls_expired: 'The certificate has expired. Renew it.',
  tls_not_yet_valid: 'The certificate is not valid yet. Check the clock of the server that issued it.',
  tls_failed:
    'The TLS handshake failed. Check that the port speaks https, with TLS 1.2 or newer and a valid certificate.',
  http2_only: 'The receiver speaks HTTP/2 only, and webhooks are sent with HTTP/1.1. Enable HTTP/1.1 there.',
  answer_headers_too_large: 'The headers of the answer are larger than 16 KiB. Send fewer or shorter ones.',
  not_http:
    'The answer is not HTTP. Check that the port of the URL is that of the receiver, and its scheme http or https.',
  secret_unreadable:
    'The secret that signs it cannot be read, so nothing was sent. The operator gives the workers the SECURITY_CODE_PEPPER of the API; then redrive it.',
  request_failed: 'The request failed. Check that the URL can be reached from the Internet by POST.',
  gone: 'The receiver answered 410: it wants no more events, so the delivery is not repeated. Redrive it once the receiver is back.',
  redirected:
    'The receiver answered {status}, and redirects are not followed. Use the URL that it points to.',
  http_error:
    'The receiver answered {status}. Answer 2xx within 10 seconds once the event is stored; the answer’s body and the receiver’s log tell more.',
} as const;

/** A code that is stored with an attempt to which no whole answer came; the others follow from the status. */
export type AttemptErrorCode = keyof typeof messages;

/** Every code, for those who filter by one. */
export const attemptErrorCodes = Object.keys(messages) as AttemptErrorCode[];

/** What went wrong with an attempt, as its record shows it. */
export interface AttemptError {
  code: AttemptErrorCode;
  message: string;
}

/**
 * Says what went wrong with an attempt that has ended.
 *
 * @param ended.error the code stored with it; one that is not in the table, of an older version, is `request_failed`
 * @returns null if the receiver took the event
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
  return status >= 300 && status < 400 ? 'redirected' : 'http_error';
}

function isCode(text: string): text is AttemptErrorCode {
  return Object.hasOwn(messages, text);
}

/** What a server that speaks HTTP/2 only begins with, whatever it is asked: a SETTINGS frame (RFC 9113, 6.5). */
// oxlint-disable-next-line no-control-regex
const settingsFrame = /^\0\0[^]\x04\0/;

/** Codes of Node, OpenSSL and undici, and what they mean to a receiver's owner. The first match decides. */
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

/** Gives a failed request its code; texts of errors may hold addresses and say no more. Never throws. */
export function codeOfFailure(error: unknown): AttemptErrorCode {
  let cause = error as
    { name?: unknown; code?: unknown; data?: unknown; cause?: unknown; errors?: unknown[] } | undefined;
  for (let depth = 0; typeof cause === 'object' && cause !== null && depth < 10; depth += 1) {
    if (cause.name === 'TimeoutError') return 'timeout';
    const { code } = cause;
    const known = causes.find(([pattern]) => typeof code === 'string' && pattern.test(code));
    if (known) return known[1];
    // undici's parser gives most of its errors a name and no code.
    if (cause.name === 'HTTPParserError')
      return settingsFrame.test(String(cause.data)) ? 'http2_only' : 'not_http';
    // A host of several addresses fails with one error for each.
    cause = (cause.cause ?? cause.errors?.[0]) as typeof cause;
  }
  return 'request_failed';
}
