import { isIP } from 'node:net';
import { isPublicAddress } from './attempts/public-address.ts';

/** Specification section 8. Like all its lengths, it counts Unicode code points. */
const maxLength = 2048;

/** Why a webhook URL is refused. Each text is part of a sentence: no capital, no full stop, no part of the URL. */
const refusals = {
  too_long: `it is longer than ${maxLength} characters`,
  malformed: 'it is not a complete URL such as https://example.com/sms-events',
  scheme: 'its scheme must be https or http',
  credentials: 'it must not contain a user name or password; verify the signature instead',
  address_not_public: 'its address is not a public Internet address',
  local_name: 'its host name belongs to a private network; use a public domain name',
} as const;

export type WebhookUrlRefusal = keyof typeof refusals;

export type CheckedWebhookUrl =
  | { ok: true; url: URL }
  | {
      ok: false;
      code: WebhookUrlRefusal;
      /** Part of a sentence: no capital, no full stop. */ reason: string;
    };

/**
 * Names that are never public: RFC 6761 (localhost), RFC 6762 (local), RFC 8375 (home.arpa), ICANN's reservation of
 * internal, and localdomain, the usual domain of a single machine. A name without a dot is completed from the
 * resolver's search list, or belongs to a container on the same network.
 */
const localName = /^[^.]*$|(^|\.)(localhost|local|localdomain|internal|home\.arpa)$/;

/**
 * Checks a webhook URL as far as possible without DNS. `createGuardedConnector` checks the
 * addresses of its host name at each connection.
 *
 * The URL is parsed as `fetch` parses it (WHATWG URL). So decimal, octal, hexadecimal, short and full-width spellings
 * of an address, and spellings with a final dot, are checked as the address that they reach.
 *
 * @param allowedHosts hosts that are exempt from the host rules, see `isAllowedHost`; the other rules apply to all
 */
export function checkWebhookUrl(text: string, allowedHosts: readonly string[]): CheckedWebhookUrl {
  if (text.length > maxLength && Array.from(text).length > maxLength) return refuse('too_long');
  if (!URL.canParse(text)) return refuse('malformed');
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return refuse('scheme');
  if (url.username !== '' || url.password !== '') return refuse('credentials');
  if (isAllowedHost(url.hostname, portOf(url), allowedHosts)) return { ok: true, url };
  const host = canonicalHost(url.hostname);
  if (isIP(host) !== 0) return isPublicAddress(host) ? { ok: true, url } : refuse('address_not_public');
  return localName.test(host) ? refuse('local_name') : { ok: true, url };
}

/**
 * Returns whether the operator has exempted a host from the public-address rule (`WEBHOOK_ALLOWED_HOSTS`).
 *
 * An entry is an exact host name or address, for all its ports, or either with `:port`, for that port only. There are
 * no patterns, and an address does not exempt the names that resolve to it.
 *
 * @param hostname with or without the brackets of IPv6
 * @param port null if it is unknown: then entries with a port have no effect
 */
export function isAllowedHost(
  hostname: string,
  port: number | null,
  allowedHosts: readonly string[],
): boolean {
  const host = canonicalHost(hostname);
  return allowedHosts.some((entry) => {
    const [, entryHost, entryPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [null, entry, undefined];
    if (entryPort !== undefined && Number(entryPort) !== port) return false;
    return host !== '' && canonicalHost(entryHost ?? '') === host;
  });
}

/**
 * Returns a host in the spelling used for comparison: as the URL parser writes it, without brackets or final dot.
 * Returns an empty string for text that is not a host, for example a whole URL among the allowed hosts.
 */
function canonicalHost(host: string): string {
  const bare = host.replace(/^\[|\]$/g, '');
  if (isIP(bare) !== 6 && /[:/\\?#@]/.test(bare)) return '';
  const url = `http://${isIP(bare) === 6 ? `[${bare}]` : bare}/`;
  if (!URL.canParse(url)) return '';
  return new URL(url).hostname.replace(/^\[|\]$|\.+$/g, '');
}

function portOf(url: URL): number {
  return url.port === '' ? { 'https:': 443, 'http:': 80 }[url.protocol]! : Number(url.port);
}

function refuse(code: WebhookUrlRefusal): CheckedWebhookUrl {
  return { ok: false, code, reason: refusals[code] };
}
