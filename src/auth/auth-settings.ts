import { ConfigError, type ApiConfig } from '../config.ts';
import type { AuthSettings } from './better-auth.ts';

/** The sign-in settings of the configuration. Throws ConfigError for a provider that is only partly configured. */
export function authSettings(config: ApiConfig): Omit<AuthSettings, 'baseUrl'> {
  const oidc = clientOf('OIDC', config.OIDC_CLIENT_ID, config.OIDC_CLIENT_SECRET);
  if ((config.OIDC_ISSUER === undefined) !== (oidc === undefined)) {
    throw new ConfigError(
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together or not at all.',
    );
  }
  return {
    secret: config.AUTH_SECRET,
    trustedOrigins: config.AUTH_TRUSTED_ORIGINS,
    isSignUpClosed: !config.ALLOW_SIGN_UP,
    google: clientOf('GOOGLE', config.GOOGLE_CLIENT_ID, config.GOOGLE_CLIENT_SECRET),
    github: clientOf('GITHUB', config.GITHUB_CLIENT_ID, config.GITHUB_CLIENT_SECRET),
    oidc:
      oidc && config.OIDC_ISSUER
        ? { id: config.OIDC_PROVIDER_ID, issuer: config.OIDC_ISSUER, ...oidc }
        : undefined,
  };
}

function clientOf(name: string, clientId: string | undefined, clientSecret: string | undefined) {
  if (clientId !== undefined && clientSecret !== undefined) return { clientId, clientSecret };
  if (clientId === undefined && clientSecret === undefined) return undefined;
  throw new ConfigError(`${name}_CLIENT_ID and ${name}_CLIENT_SECRET must be set together or not at all.`);
}
