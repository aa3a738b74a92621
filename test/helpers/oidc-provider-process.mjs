// A real OpenID provider, as a process of its own: node oidc-provider-process.mjs PORT REDIRECT_URI.
// Whoever logs in as NAME is the subject NAME with the address NAME@idp.example, confirmed unless the name says not.
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
      // A provider is not to be trusted with what a browser will follow.
      picture: 'javascript:alert(1)',
      email: `${id}@idp.example`,
      email_verified: !id.startsWith('unconfirmed'),
    }),
  }),
  // The forms to log in and to consent are the package's own.
  features: { devInteractions: { enabled: true } },
  pkce: { required: () => true },
});
const server = provider.listen(Number(port), '127.0.0.1', () => process.send?.('ready'));
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => server.close(() => process.exit(0)));
