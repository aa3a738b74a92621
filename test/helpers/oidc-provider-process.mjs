// A real OpenID provider in a separate process: node oidc-provider-process.mjs PORT REDIRECT_URI.
// A person who logs in as NAME is the subject NAME with the address NAME@idp.example. The address is confirmed unless
// the name says otherwise.
import { Provider } from 'oidc-provider';

const [port, redirectUri] = process.argv.slice(2);
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{ client_id: 'sms', client_secret: 'secret-of-the-client', redirect_uris: [redirectUri] }],
  cookies: { keys: ['key-of-the-cookies'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture'] },
  findAccount: (_context, id) => ({
    accountId: id,
    claims: () => ({
      sub: id,
      name: `Person ${id}`,
      // The service must not trust a provider with links that a browser will follow.
      picture: 'javascript:alert(1)',
      email: `${id}@idp.example`,
      email_verified: !id.startsWith('unconfirmed'),
    }),
  }),
  // The forms for login and consent come from the package.
  features: { devInteractions: { enabled: true } },
  pkce: { required: () => true },
});
const server = provider.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
