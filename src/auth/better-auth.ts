import { betterAuth } from 'better-auth';
import { APIError } from 'better-auth/api';
import { admin, bearer, genericOAuth, organization, type GenericOAuthConfig } from 'better-auth/plugins';
import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../database.ts';
import { errorCatalogue } from '../errors.ts';
import type { Log } from '../log.ts';
import { acceptEmailAddresses } from './accept-email-addresses.ts';
import { toConstraintError } from './account-error.ts';
import { afterCommit } from './account-transaction.ts';
import { createAuthDatabase } from './auth-database.ts';
import * as tables from './columns.ts';
import type { Mailer } from './mailer.ts';
import { invitationMail, passwordResetMail, verificationMail } from './mails.ts';
import { createOidcDiscovery, type OidcSettings } from './oidc-provider.ts';
import { sessionExpiresInSeconds } from './prolong-session.ts';
import { notifyPendingInvitations } from './notify-invitee.ts';

export interface AuthSettings {
  baseUrl: string;
  /** At least 32 characters. Signs cookies and links: a new one ends all sessions. */
  secret: string;
  /** Origins beside our own from which browsers may call with cookies, and to which sign-ins may return. */
  trustedOrigins: readonly string[];
  /** Only administrators make accounts. */
  isSignUpClosed?: boolean;
  google?: { clientId: string; clientSecret: string } | undefined;
  github?: { clientId: string; clientSecret: string } | undefined;
  oidc?: OidcSettings | undefined;
}

export interface Auth {
  /** Answers one request below /api/auth; what is no answer of better-auth's own is thrown. */
  handle: (request: Request) => Promise<Response>;
}

/** The header by which routes.ts tells better-auth whom the request came from; clients cannot set it. */
export const clientAddressHeader = 'x-client-address';

const impersonationExpiresInSeconds = 3600;
const invitationExpiresInSeconds = 7 * 24 * 3600;
/** better-auth's own limit is 100. */
const membershipLimit = 10_000;

/**
 * Sets better-auth up: e-mail and password, social sign-in, sessions and bearer tokens, organizations with
 * members and invitations, administrator functions. Which of its endpoints are served: openapi.yaml.
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

/** Whether a request needs the metadata of a provider; all others must not wait for them. */
async function namesProvider(request: Request, id: string): Promise<boolean> {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith(`/callback/${id}`)) return true;
  if (!/\/(?:sign-in\/social|link-social)$/.test(pathname)) return false;
  const body = (await request.clone().json()) as { provider?: unknown };
  return body.provider === id;
}

/** One better-auth; its type is what better-auth infers, so that options and API agree. */
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
      // The schema is ours (migrations/) and is held against better-auth's by a test.
      database: { generateId: () => uuidv7(), joins: true, validateSchema: false },
      // Said out loud, for better-auth leaves its checks out where NODE_ENV is `test`.
      disableOriginCheck: false,
      disableCSRFCheck: false,
      ipAddress: { ipAddressHeaders: [clientAddressHeader] },
    },
    telemetry: { enabled: false },
    logger: { level: 'warn', log: (level, message, ...details) => tell(log, level, message, details) },
    // Errors that are no answers go to answer-errors.ts, as all others do; redirects end at the catalogue.
    onAPIError: { throw: true, errorURL: `${baseUrl}/errors` },
    // Limits are the API's own, shared by all processes.
    rateLimit: { enabled: false },
    user: tables.userTable,
    // Sessions are prolonged by require-session.ts: better-auth does it at get-session alone, and would make a
    // week of an impersonation's hour.
    session: { ...tables.sessionTable, expiresIn: sessionExpiresInSeconds, disableSessionRefresh: true },
    // A token that was mailed is stored as its hash. Rows that are over are removed by remove-expired.ts.
    verification: { ...tables.verificationTable, storeIdentifier: 'hashed', disableCleanup: true },
    // A sign-in under way at a provider is in its browser, encrypted: its secrets are in no table.
    account: { ...tables.accountTable, storeStateStrategy: 'cookie' },
    emailAndPassword: {
      enabled: true,
      disableSignUp,
      minPasswordLength: 8,
      // In UTF-16 units, of which a character has up to two: openapi.yaml holds passwords to 128 characters.
      maxPasswordLength: 256,
      revokeSessionsOnPasswordReset: true,
      ...(mailer && {
        sendResetPassword: async ({ user, url }) => mailer.send(passwordResetMail(user.email, url)),
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
            // better-auth does not ask disableSignUp where someone signs in with the token of a provider.
            if (disableSignUp && context?.path !== '/admin/create-user') throw signUpDisabled();
            return withHttpImage(user);
          },
        },
        update: {
          before: async (user) => withHttpImage(user),
          // The link of a mail, or a provider whose account was linked, may just have confirmed his address.
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
        // An address that a provider vouches for is confirmed from the first sign-in on; and what a process that died
        // after confirming one has left untold is told at the next.
        create: { after: async ({ userId }) => notifyPendingInvitations(database, userId, now()) },
        // A ban leaves the sessions where they are: authenticate.ts answers them `banned`, not `unauthenticated`.
        delete: { before: async (_session, context) => context?.path !== '/admin/ban-user' },
      },
    },
    plugins: [
      bearer(),
      admin({ schema: tables.adminTables, impersonationSessionDuration: impersonationExpiresInSeconds }),
      organization({
        schema: tables.organizationTables,
        membershipLimit,
        invitationExpiresIn: invitationExpiresInSeconds,
        // An address that was not proven is anybody's.
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
    message: errorCatalogue.sign_up_disabled[1],
  });
}

/** Providers tell who someone is, and no more is asked of them: their tokens are not kept. */
const withoutTokens = {
  data: {
    accessToken: null,
    refreshToken: null,
    idToken: null,
    accessTokenExpiresAt: null,
    refreshTokenExpiresAt: null,
  },
};

/** A provider may say anything of a user's image, and browsers will follow it; what users say, openapi.yaml holds. */
function withHttpImage(user: { image?: string | null | undefined }) {
  const isSafe = !user.image || /^https?:\/\//i.test(user.image);
  return isSafe ? undefined : { data: { ...user, image: null } };
}

/** How the lines begin in which better-auth tells of what a visitor has got wrong, and was told of. */
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
 * better-auth's own lines quote addresses and URLs after a colon, or beside the message; neither is logged. What
 * the caller is told of, a race for a name that was lost or a mistake of his own, is no failure of the service.
 */
function tell(
  log: Log,
  level: 'debug' | 'info' | 'warn' | 'error',
  message: unknown,
  details: unknown[],
): void {
  const error = [message, ...details].find((detail) => typeof detail === 'object' && detail !== null);
  const isAnswered = error !== undefined && toConstraintError(error) !== error;
  const isMistake = isAnswered || isStateError(error) || mistakes.test(String(message));
  const text = String(message).split(/[:"]/)[0];
  log[isMistake ? 'debug' : level]({ ...(error && { err: error }) }, `better-auth: ${text}`);
}

/** A sign-in at a provider that was not begun in this browser, or too long ago. */
function isStateError(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^state_(?!generation)/.test(code);
}
