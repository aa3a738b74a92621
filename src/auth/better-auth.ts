import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { admin, bearer, genericOAuth, organization, type GenericOAuthConfig } from 'better-auth/plugins';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../database.ts';
import { errorCatalogue } from '../errors.ts';
import type { Log } from '../log.ts';
import { acceptEmailAddresses } from './mails/accept-email-addresses.ts';
import { toConstraintError } from './account-error.ts';
import { afterCommit } from './account-transaction.ts';
import { createAuthDatabase } from './auth-database.ts';
import * as tables from './columns.ts';
import type { Mailer } from './mails/mailer.ts';
import { invitationMail, passwordResetMail, verificationMail } from './mails/mails.ts';
import { createOidcDiscovery, type OidcSettings } from './oidc-provider.ts';
import { passwordPagePath } from './mails/password-page.ts';
import { noteDevice } from './sessions/note-device.ts';
import { sessionExpiresInSeconds } from './sessions/prolong-session.ts';
import { passkeyPlugin } from './passkeys/passkey-plugin.ts';
import { notifyPendingInvitations } from '../organizations/notify-invitee.ts';
import { recordSecurityEvent } from './security-events/record-security-event.ts';
import type { SignInMethod } from './security-events/security-event.entity.ts';
import { createBannedLinkRefusal } from './refuse-banned-link.ts';

export interface AuthSettings {
  baseUrl: string;
  /** At least 32 characters. It signs cookies and links: changing it ends all sessions. */
  secret: string;
  /** Additional origins from which browsers may call with cookies, and to which sign-ins may return. */
  trustedOrigins: readonly string[];
  /** Only administrators can create accounts. */
  isSignUpClosed?: boolean;
  google?: { clientId: string; clientSecret: string } | undefined;
  github?: { clientId: string; clientSecret: string } | undefined;
  oidc?: OidcSettings | undefined;
}

export interface Auth {
  /** Responds to one request below /api/auth. Errors that better-auth does not turn into a response are thrown. */
  handle: (request: Request) => Promise<Response>;
}

/** The header in which routes.ts passes the client's address to better-auth. Clients cannot set it. */
export const clientAddressHeader = 'x-client-address';

const impersonationExpiresInSeconds = 3600;
const invitationExpiresInSeconds = 7 * 24 * 3600;
/** The default limit of better-auth is 100. */
const membershipLimit = 10_000;

/**
 * Sets up better-auth: e-mail and password, social sign-in, sessions and bearer tokens, organizations with members and
 * invitations, and administrator functions. openapi.yaml determines which of its endpoints are served.
 */
export function createAuth(dependencies: {
  database: Database;
  settings: AuthSettings;
  mailer: Mailer | null;
  log: Log;
  now: () => Date;
}): Auth {
  acceptEmailAddresses();
  const { settings, log } = dependencies;
  const withoutOidc = build(dependencies, []);
  const discoverOidc = settings.oidc && createOidcDiscovery(settings.oidc, log);
  let withOidc: Promise<ReturnType<typeof build>> | undefined;

  const instanceFor = async (request: Request): Promise<ReturnType<typeof build>> => {
    if (!discoverOidc) return withoutOidc;
    if (withOidc) return withOidc;
    if (!(await namesProvider(request, settings.oidc!.id))) return withoutOidc;
    const config = await discoverOidc();
    withOidc ??= Promise.resolve(build(dependencies, [config]));
    return withOidc;
  };
  return {
    handle: async (request) => (await instanceFor(request)).handler(request),
  };
}

/** Whether a request needs the metadata of the provider. Other requests do not wait for the metadata. */
async function namesProvider(request: Request, id: string): Promise<boolean> {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith(`/callback/${id}`)) return true;
  if (!/\/(?:sign-in\/social|link-social)$/.test(pathname)) return false;
  const body = (await request.clone().json()) as { provider?: unknown };
  return body.provider === id;
}

/** Builds a better-auth instance. Its type is inferred by better-auth, so that options and API agree. */
export function build(
  dependencies: {
    database: Database;
    settings: AuthSettings;
    mailer: Mailer | null;
    log: Log;
    now: () => Date;
  },
  oidc: GenericOAuthConfig[],
) {
  const { database, settings, mailer, log, now } = dependencies;
  const { baseUrl, secret, trustedOrigins, google, github, isSignUpClosed: disableSignUp = false } = settings;
  return betterAuth({
    appName: 'SMS service',
    baseURL: `${baseUrl}/api/auth`,
    secret,
    trustedOrigins: [new URL(baseUrl).origin, ...trustedOrigins],
    database: createAuthDatabase(database),
    advanced: {
      // The schema is in migrations/. A test compares it with the schema of better-auth.
      database: { generateId: () => uuidv7(), joins: true, validateSchema: false },
      // Set explicitly, because better-auth skips these checks if NODE_ENV is `test`.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    telemetry: { enabled: false },
    logger: { level: 'warn', log: (level, message, ...details) => logMessage(log, level, message, details) },
    // Thrown errors go to answer-errors.ts, like all others. Redirects after an error lead to the error catalogue.
    onAPIError: { throw: true, errorURL: `${baseUrl}/errors` },
    // The API has its own rate limits, shared by all processes.
    rateLimit: { enabled: false },
    user: { ...tables.userTable, validateUserInfo: createBannedLinkRefusal({ database, now }) },
    // Sessions are prolonged by require-session.ts: better-auth does so at get-session only, and would extend the hour
    // of an impersonation to a week.
    session: { ...tables.sessionTable, expiresIn: sessionExpiresInSeconds, disableSessionRefresh: true },
    // Only the hash of a mailed token is stored. remove-expired.ts removes expired rows.
    verification: { ...tables.verificationTable, storeIdentifier: 'hashed', disableCleanup: true },
    // The state of a sign-in in progress at a provider is in the browser, encrypted: no table contains its secrets.
    account: { ...tables.accountTable, storeStateStrategy: 'cookie' },
    emailAndPassword: {
      enabled: true,
      disableSignUp,
      minPasswordLength: 8,
      // In UTF-16 units, of which a character has up to two: openapi.yaml holds passwords to 128 characters.
      maxPasswordLength: 256,
      revokeSessionsOnPasswordReset: true,
      ...(mailer && {
        sendResetPassword: async ({ user, url }) =>
          mailer.send(passwordResetMail(user.email, withPasswordPage(url))),
      }),
    },
    ...(mailer && {
      emailVerification: {
        sendOnSignUp: true,
        autoSignInAfterVerification: false,
        sendVerificationEmail: async ({ user, url }) => mailer.send(verificationMail(user.email, url)),
      },
    }),
    socialProviders: {
      ...(google && { google: { ...google, disableSignUp } }),
      ...(github && { github: { ...github, disableSignUp } }),
    },
    databaseHooks: {
      user: {
        create: {
          before: async (user, context) => {
            // better-auth ignores disableSignUp when someone signs in with the token of a provider.
            if (disableSignUp && context?.path !== '/admin/create-user') throw signUpDisabled();
            return withHttpImage(user);
          },
        },
        update: {
          before: async (user) => withHttpImage(user),
          // The link of a mail, or a newly linked account at a provider, may just have confirmed the user's address.
          after: async (user) => {
            if (user?.emailVerified) await notifyPendingInvitations(database, user.id, now());
          },
        },
      },
      account: {
        create: { before: async () => withoutTokens },
        update: { before: async () => withoutTokens },
      },
      session: {
        // An address that a provider vouches for is confirmed from the first sign-in on. If a process died after it
        // confirmed an address, the missing notifications are sent at the next sign-in.
        create: {
          after: async ({ userId, ipAddress = null, userAgent = null, ...session }, context) => {
            await notifyPendingInvitations(database, userId, now());
            // A sign-in with a password is noted and recorded in sign-in.ts, after the second factor.
            if (context?.path === '/sign-in/email' || session['impersonatedBy']) return;
            const method = methodOf(context?.path);
            const client = { ipAddress, userAgent };
            if (method) {
              const event = { userId, kind: 'signed_in', method, client } as const;
              await recordSecurityEvent({ database, mailer }, event, now());
            }
            await noteDevice({ database, mailer, secret }, { userId, ipAddress, userAgent }, now());
          },
        },
        // A ban keeps the sessions: authenticate.ts responds to them with `banned`, not `unauthenticated`.
        delete: { before: async (_session, context) => context?.path !== '/admin/ban-user' },
      },
    },
    plugins: [
      bearer(),
      passkeyPlugin(baseUrl),
      admin({ schema: tables.adminTables, impersonationSessionDuration: impersonationExpiresInSeconds }),
      organization({
        schema: tables.organizationTables,
        membershipLimit,
        invitationExpiresIn: invitationExpiresInSeconds,
        // An unconfirmed address may belong to someone else.
        requireEmailVerificationOnInvitation: true,
        disableOrganizationDeletion: true,
        ...(mailer && {
          sendInvitationEmail: async ({ id, email, role, invitation, organization: { name }, inviter }) => {
            const { expiresAt } = invitation;
            const facts = { id, role, expiresAt, organizationName: name, inviterName: inviter.user.name };
            afterCommit(() => mailer.send(invitationMail(email, facts, baseUrl)));
          },
        }),
      }),
      genericOAuth({ config: oidc.map((provider) => ({ ...provider, disableSignUp })) }),
    ],
  });
}

function signUpDisabled(): APIError {
  return APIError.from('FORBIDDEN', {
    code: 'SIGN_UP_DISABLED',
    message: errorCatalogue.sign_up_disabled.meaning,
  });
}

/**
 * With what somebody has signed in, by the endpoint that made the session. A new password makes one too, which is no
 * sign-in.
 */
function methodOf(path: string | undefined): SignInMethod | null {
  if (path === '/sign-up/email') return 'password';
  if (path === '/passkey/verify-authentication') return 'passkey';
  return path !== undefined && /^\/(?:callback\/|oauth2\/|sign-in\/social)/.test(path) ? 'provider' : null;
}

/** Without `redirectTo`, better-auth's link leads nowhere: its `callbackURL` is empty. */
function withPasswordPage(url: string): string {
  const link = new URL(url);
  if (!link.searchParams.get('callbackURL')) link.searchParams.set('callbackURL', passwordPagePath);
  return link.href;
}

/** Providers are used only to identify users: their tokens are not stored. */
const withoutTokens = {
  data: {
    accessToken: null,
    refreshToken: null,
    idToken: null,
    accessTokenExpiresAt: null,
    refreshTokenExpiresAt: null,
  },
};

/** A provider may send any text as a user's image, and browsers load it. openapi.yaml validates what users send. */
function withHttpImage(user: { image?: string | null | undefined }) {
  const isSafe = !user.image || /^https?:\/\//i.test(user.image);
  return isSafe ? undefined : { data: { ...user, image: null } };
}

/** The beginnings of better-auth's log messages about mistakes of the caller, which the response already reports. */
const mistakes = new RegExp(
  `^(?:${[
    ...['Invalid ', 'INVALID_CALLBACK_REQUEST', 'Blocked cross-site', 'State not found', 'Code not found'],
    ...['Provider not found', 'Provider does not support', 'OAuth provider not found', 'User not found'],
    ...[
      'Password not found',
      'Password is too',
      'Reset Password: User',
      'account_not_linked',
      'signup_disabled',
    ],
  ].join('|')})`,
);

/**
 * Logs a message of better-auth. Its messages quote addresses and URLs after a colon or in additional arguments;
 * neither is logged. Errors that the response reports to the caller, such as a name that another request took first or
 * a mistake of the caller, are not failures of the service and are logged at the level debug.
 */
function logMessage(
  log: Log,
  level: 'debug' | 'info' | 'warn' | 'error',
  message: unknown,
  details: unknown[],
): void {
  const error = [message, ...details].find((detail) => typeof detail === 'object' && detail !== null);
  const isAnswered = error !== undefined && toConstraintError(error) !== error;
  const isMistake =
    isAnswered || isStateError(error) || isPasskeyError(message, error) || mistakes.test(String(message));
  const text = String(message).split(/[:"]/)[0];
  log[isMistake ? 'debug' : level]({ ...(error && { err: error }) }, `better-auth: ${text}`);
}

/** Whether what an authenticator has signed was refused. An error of PostgreSQL has a code, one of the library has none. */
function isPasskeyError(message: unknown, error: unknown): boolean {
  const isOfCeremony = /^Failed to verify (?:registration|authentication)/.test(String(message));
  return isOfCeremony && (error as { code?: unknown } | undefined)?.code === undefined;
}

/** Whether a sign-in at a provider did not start in this browser, or started too long ago. */
function isStateError(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^state_(?!generation)/.test(code);
}
