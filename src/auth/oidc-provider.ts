import type { GenericOAuthConfig } from 'better-auth/plugins';
import { z } from 'zod';
import { ApiError } from '../errors.ts';
import type { Log } from '../log.ts';

export interface OidcSettings {
  /** The value of `provider` in POST /api/auth/sign-in/social, and the last part of the redirect URI. */
  id: string;
  /** The issuer according to OpenID Connect Discovery 1.0 section 4: its metadata are at a path below it. */
  issuer: string;
  clientId: string;
  clientSecret: string;
}

const discoveryTimeoutMs = 5000;
/** After a failure no request is sent to the provider for this time. */
const retryAfterMs = 2000;

const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
});

/**
 * Creates the function that reads the configuration of a generic OpenID provider. better-auth alone would read the
 * metadata once, at setup, wait for them without a limit, and permanently omit a provider that does not respond.
 * Therefore they are requested here first: at the first sign-in that needs them, with a timeout, and again after a
 * failure.
 *
 * Error: provider_unavailable.
 */
export function createOidcDiscovery(settings: OidcSettings, log: Log): () => Promise<GenericOAuthConfig> {
  const discoveryUrl = `${settings.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  let attempt: { at: number; config: Promise<GenericOAuthConfig> } | undefined;
  const discover = async (): Promise<GenericOAuthConfig> => {
    try {
      const response = await fetch(discoveryUrl, { signal: AbortSignal.timeout(discoveryTimeoutMs) });
      const found = metadata.parse(await response.json());
      // Section 4.3: the issuers must be identical, or another provider could impersonate this one.
      if (found.issuer !== settings.issuer) throw new Error('The metadata belong to another issuer.');
    } catch (error) {
      log.error({ err: error, issuer: settings.issuer }, 'the OpenID provider cannot be used');
      throw new ApiError('provider_unavailable', 'The sign-in provider does not respond. Try again.', {
        headers: { 'Retry-After': String(retryAfterMs / 1000) },
      });
    }
    return {
      providerId: settings.id,
      discoveryUrl,
      clientId: settings.clientId,
      clientSecret: settings.clientSecret,
      scopes: ['openid', 'profile', 'email'],
      pkce: true,
      requireIdTokenVerification: true,
    };
  };
  return () => {
    if (!attempt || Date.now() - attempt.at > retryAfterMs) {
      const started = { at: Date.now(), config: discover() };
      attempt = started;
      // A successful result is kept permanently.
      started.config.then(
        () => (started.at = Number.POSITIVE_INFINITY),
        () => undefined,
      );
    }
    return attempt.config;
  };
}
