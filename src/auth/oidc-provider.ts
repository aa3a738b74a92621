import type { GenericOAuthConfig } from 'better-auth/plugins';
import { z } from 'zod';
import { ApiError } from '../errors.ts';
import type { Log } from '../log.ts';

export interface OidcSettings {
  /** What `provider` is in POST /api/auth/sign-in/social, and the last part of the redirect URI. */
  id: string;
  /** The issuer, as OpenID Connect Discovery 1.0 section 4 takes it: its metadata are below it. */
  issuer: string;
  clientId: string;
  clientSecret: string;
}

const discoveryTimeoutMs = 5000;
/** After a failure the provider is left alone for this long. */
const retryAfterMs = 2000;

const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
});

/**
 * Makes the look-up of a generic OpenID provider. better-auth reads the metadata once, when it is set up,
 * waits for them without limit, and leaves out for good a provider that does not answer. So they are asked
 * for here first: at the first sign-in that needs them, in bounded time, and again after a failure.
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
      // Section 4.3: they must be the same, or another provider could speak for this one.
      if (found.issuer !== settings.issuer) throw new Error('The metadata are of another issuer.');
    } catch (error) {
      log.error({ err: error, issuer: settings.issuer }, 'the OpenID provider cannot be used');
      throw new ApiError('provider_unavailable', 'The sign-in provider does not answer. Try again.', {
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
      // What was found stays.
      started.config.then(
        () => (started.at = Number.POSITIVE_INFINITY),
        () => undefined,
      );
    }
    return attempt.config;
  };
}
