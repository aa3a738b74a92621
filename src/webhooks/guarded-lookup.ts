import type { LookupAddress, LookupOptions } from 'node:dns';
import { lookup as lookupBySystem } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { isPublicAddress } from './public-address.ts';
import { isAllowedHost } from './webhook-url.ts';

/** Resolves a name to all its addresses; rejects, as node:dns does, when there is none. */
export type ResolveHost = (hostname: string, options: LookupOptions) => Promise<LookupAddress[]>;

/** The webhook's host is or resolves to an address that is not public. */
export class WebhookAddressNotPublicError extends Error {
  readonly code = 'WEBHOOK_ADDRESS_NOT_PUBLIC';

  /** The address stays out of the message: tenants read it, and it tells of the operator's network. */
  constructor(hostname: string) {
    super(`${hostname} has an address that is not public, so no webhook is sent there.`);
    this.name = 'WebhookAddressNotPublicError';
  }
}

/** Long enough for three SYN packets to be sent, short enough to leave the receiver time of its 10 s to answer. */
const defaultConnectTimeoutMs = 5_000;

/**
 * Makes a `lookup` for `net.connect` and `tls.connect` that refuses hosts with an address that is not public.
 *
 * The addresses it hands on are the very ones it has judged, and `net` connects to nothing else: a second
 * answer of DNS (rebinding) is never asked for. One address that is not public refuses the host: a receiver
 * has no reason to publish one, and to use only the others would work or fail by chance.
 *
 * `net` asks no lookup about a host that is an address already, nor does a lookup learn the port: both are
 * the matter of `createGuardedConnector`.
 *
 * Errors, through the callback: WebhookAddressNotPublicError, and those of the resolver.
 *
 * @param allowedHosts host names exempt from the rule; entries with a port exempt nothing here
 */
export function createGuardedLookup(options: {
  allowedHosts: readonly string[];
  resolve?: ResolveHost;
}): LookupFunction {
  const { allowedHosts, resolve = resolveBySystem } = options;
  return lookupThrough(resolve, (hostname) => isAllowedHost(hostname, null, allowedHosts));
}

/**
 * Makes the connector of an undici `Agent({ connect })` that connects to public addresses only (contract
 * section 7), checked at the connection itself: names by `createGuardedLookup`, addresses in the URL here.
 * The TLS server name stays the host of the URL.
 *
 * Errors, through the callback: WebhookAddressNotPublicError, undici's ConnectTimeoutError (the time for DNS
 * included), and those of DNS, TCP and TLS.
 *
 * @param options.allowedHosts hosts, or host:port, exempt from the rule (see `isAllowedHost`)
 * @param options.connectTimeoutMs default 5,000
 * @param options.build makes the connectors that open the sockets; undici's unless a test gives another
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
