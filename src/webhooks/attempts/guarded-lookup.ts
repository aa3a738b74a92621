import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as lookupBySystem } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { isPublicAddress } from './public-address.ts';
import { isAllowedHost } from '../webhook-url.ts';

/** Resolves a name to all its addresses. Rejects, as node:dns does, if there is none. */
export type ResolveHost = (hostname: string, options: LookupOptions) => Promise<LookupAddress[]>;

/** The webhook's host is, or resolves to, an address that is not public. */
export class WebhookAddressNotPublicError extends Error {
  readonly code = 'WEBHOOK_ADDRESS_NOT_PUBLIC';

  /** The message omits the address: tenants read it, and the address reveals the operator's network. */
  constructor(hostname: string) {
    super(`${hostname} has an address that is not public, so no webhook is sent there.`);
    this.name = 'WebhookAddressNotPublicError';
  }
}

/** Long enough to send three SYN packets, and short enough to leave the receiver most of its 10 s to respond. */
const defaultConnectTimeoutMs = 5_000;

/**
 * Creates a `lookup` for `net.connect` and `tls.connect` that refuses hosts with an address that is not public.
 *
 * It returns exactly the addresses it has checked, and `net` connects to no others. DNS is not queried a second time,
 * which prevents rebinding. A host with one address that is not public is refused: a receiver has no reason to publish
 * such an address, and using only its other addresses would work or fail by chance.
 *
 * `net` does not call the lookup for a host that is already an address, and a lookup does not know the port.
 * `createGuardedConnector` handles both.
 *
 * Errors, through the callback: WebhookAddressNotPublicError, and those of the resolver.
 *
 * @param allowedHosts host names that are exempt from the rule; entries with a port have no effect here
 */
export function createGuardedLookup(options: {
  allowedHosts: readonly string[];
  resolve?: ResolveHost;
}): LookupFunction {
  const { allowedHosts, resolve = resolveBySystem } = options;
  return lookupThrough(resolve, (hostname) => isAllowedHost(hostname, null, allowedHosts));
}

/**
 * Creates the connector of an undici `Agent({ connect })` that connects to public addresses only.
 * The check happens at connection time: `createGuardedLookup` checks names, and this function checks addresses in the
 * URL. The TLS server name stays the host of the URL.
 *
 * Errors, through the callback: WebhookAddressNotPublicError, undici's ConnectTimeoutError (the timeout includes DNS),
 * and the errors of DNS, TCP and TLS.
 *
 * @param options.allowedHosts hosts, or host:port, that are exempt from the rule (see `isAllowedHost`)
 * @param options.connectTimeoutMs default 5,000
 * @param options.build creates the connectors that open the sockets; undici's by default, replaced in tests
 */
export function createGuardedConnector(options: {
  allowedHosts: readonly string[];
  resolve?: ResolveHost;
  connectTimeoutMs?: number;
  build?: (options: { timeout: number; lookup: LookupFunction }) => buildConnector.connector;
}): buildConnector.connector {
  const {
    allowedHosts,
    resolve = resolveBySystem,
    connectTimeoutMs = defaultConnectTimeoutMs,
    build = buildConnector,
  } = options;
  const timeout = connectTimeoutMs;
  const connectGuarded = build({ timeout, lookup: lookupThrough(resolve, () => false) });
  const connectExempt = build({ timeout, lookup: lookupThrough(resolve, () => true) });
  return (target, callback) => {
    const hostname = target.hostname.replace(/^\[|\]$/g, '');
    if (isAllowedHost(hostname, portOf(target), allowedHosts)) {
      connectExempt(target, callback);
    } else if (isIP(hostname) !== 0 && !isPublicAddress(hostname)) {
      queueMicrotask(() => callback(new WebhookAddressNotPublicError(hostname), null));
    } else {
      connectGuarded(target, callback);
    }
  };
}

function lookupThrough(resolve: ResolveHost, isExempt: (hostname: string) => boolean): LookupFunction {
  const resolveJudged = callbackify(async (hostname: string, options: LookupOptions) => {
    const addresses = await resolve(hostname, options);
    if (!isExempt(hostname) && !addresses.every(({ address }) => isPublicAddress(address))) {
      throw new WebhookAddressNotPublicError(hostname);
    }
    return addresses;
  });
  return (hostname, options, callback) => {
    resolveJudged(hostname, options, (error, addresses) => {
      if (error) return callback(error, []);
      const [first] = addresses;
      if (first === undefined) callback(noAddress(hostname), []);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function portOf(target: buildConnector.Options): number {
  return Number(target.port) || (target.protocol === 'https:' ? 443 : 80);
}

function resolveBySystem(hostname: string, options: LookupOptions): Promise<LookupAddress[]> {
  return lookupBySystem(hostname, { ...options, all: true });
}

function noAddress(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND', hostname });
}
