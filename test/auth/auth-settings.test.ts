import { authSettings } from '../../src/auth/auth-settings.ts';
import { ConfigError, loadApiConfig } from '../../src/config.ts';

const required = {
  DATABASE_URL: 'postgresql://sms@127.0.0.1/sms',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  GATEWAY_TOKEN: 'a-token-of-the-gateway',
  AUTH_SECRET: 'a-secret-of-at-least-32-characters',
  SECURITY_CODE_PEPPER: 'a-pepper-of-at-least-32-characters',
};
const read = (more: Record<string, string>) => authSettings(loadApiConfig({ ...required, ...more }));

test('no provider is offered unless it is configured', () => {
  expect(read({})).toEqual({
    secret: required.AUTH_SECRET,
    trustedOrigins: [],
    isSignUpClosed: false,
    google: undefined,
    github: undefined,
    oidc: undefined,
  });
});

test('sign-up is closed by ALLOW_SIGN_UP=false', () => {
  expect(read({ ALLOW_SIGN_UP: 'false' })).toMatchObject({ isSignUpClosed: true });
});

test('the generic provider is called oidc unless it is named', () => {
  const oidc = { OIDC_ISSUER: 'https://idp.example', OIDC_CLIENT_ID: 'i', OIDC_CLIENT_SECRET: 's' };
  expect(read(oidc).oidc).toEqual({
    id: 'oidc',
    issuer: 'https://idp.example',
    clientId: 'i',
    clientSecret: 's',
  });
  expect(read({ ...oidc, OIDC_PROVIDER_ID: 'keycloak' }).oidc!.id).toBe('keycloak');
});

test.each<Record<string, string>>([
  { GOOGLE_CLIENT_ID: 'i' },
  { GITHUB_CLIENT_SECRET: 's' },
  { OIDC_ISSUER: 'https://idp.example' },
  { OIDC_CLIENT_ID: 'i', OIDC_CLIENT_SECRET: 's' },
])('a provider that is half configured is refused: %j', (given) => {
  expect(() => read(given)).toThrow(ConfigError);
});
