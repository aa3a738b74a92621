import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** Specification section 8; in Unicode code points, as all its lengths. */
const maxLength = 2048;

/** Why a webhook URL is refused. The words go into a sentence: no capital, no full stop, nothing of the URL. */
const refusals = {
  too_long: `it is longer than ${maxLength} characters`,
  malformed: 'it is not a complete URL such as https://example.com/sms-events',
  scheme: 'its scheme must be https or http',
  credentials: 'it must not hold a user name or password; verify the signature instead',
  address_not_public: 'its address is not one of the public Internet',
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
 * Names that are never public: RFC 6761 (localhost), RFC 6762 (local), RFC 8375 (home.arpa), ICANN's
 * reservation of internal, and the usual domain of one machine. A name without a dot is completed by the
 * resolver's search list, or is a neighbouring container's.
 */
const localName = /^[^.]*$|(^|\.)(localhost|local|localdomain|internal|home\.arpa)$/;

/**
 * Holds a webhook URL against what can be known of it without asking DNS (contract section 7). What its name
 * resolves to is judged at each connection, by `createGuardedConnector`.
 *
 * The URL is read as `fetch` reads it (WHATWG URL), so decimal, octal, hexadecimal, short, full-width and
 * dotted-at-the-end spellings of an address are all judged as the address they reach.
 *
 * @param allowedHosts hosts exempt from the rules about hosts, see `isAllowedHost`; the others hold for all
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
 * Says whether the operator has exempted a host from the public-address rule (`WEBHOOK_ALLOWED_HOSTS`).
 *
 * An entry is an exact host name or address, for all its ports, or either with `:port`, for that one. There
 * are no patterns, and an address does not exempt the names that resolve to it.
 *
 * @param hostname with or without the brackets of IPv6
 * @param port null where it is not known: then entries with a port exempt nothing
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
 * A host in the one spelling that is compared: as the URL parser writes it, without brackets or last dot.
 * Empty for what is no host, such as a whole URL among the allowed hosts.
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
