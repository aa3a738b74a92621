import { Router, type Request } from 'express';
import { validate as isUuid } from 'uuid';
import type { Database } from '../../database.ts';
import { inputOf } from '../../http/contract/input-of.ts';
import { explicitKey } from '../access/authenticate.ts';
import { bearerOf } from './bearer.ts';
import { endImpersonation } from './end-impersonation.ts';
import { toAccountRecords } from '../records.ts';
import type { SessionCookies } from './session-cookies.ts';
import type { Session } from './session.entity.ts';
import type { User } from '../user.entity.ts';
import { clientOf } from '../security-events/record-security-event.ts';
import type { Mailer } from '../mails/mailer.ts';
import { endSessions, listOwnSessions, listUserSessions } from './user-sessions.ts';

/**
 * The account endpoints that replace those of better-auth, which would keep sessions usable for too long. In
 * better-auth, stop-impersonating ends nothing without a cookie; the lists return tokens, which are not stored here,
 * and sessions are ended by these tokens; sign-out reads the session by itself; and get-session shows an impersonation
 * even if its administrator is no longer an administrator.
 */
export function sessionRoutes(dependencies: {
  database: Database;
  mailer: Mailer | null;
  sessionCookies: SessionCookies;
  /** Throws if another site caused the browser to send its cookies. */
  refuseCrossSite: (request: Request) => void;
  now: () => Date;
}): Router {
  const { database, sessionCookies, refuseCrossSite, now } = dependencies;
  const router = Router();

  router.post('/api/auth/sign-out', async (request, response) => {
    const hasKey = explicitKey(request) !== undefined;
    // Banned users, and users without a session, can still clear their cookies.
    if (!hasKey && bearerOf(request.headers) === undefined) {
      refuseCrossSite(request);
      response.append('Set-Cookie', sessionCookies.clear(['session', 'administrator', 'notRemembered']));
    }
    const presented = hasKey ? null : sessionCookies.read(request.headers);
    if (presented) {
      const event = { kind: 'signed_out', client: clientOf(request) } as const;
      await endSessions(dependencies, { token: presented.token }, event, now());
    }
    response.json({ success: true });
  });

  router.get('/api/auth/get-session', (request, response, next) => {
    if (request.session) return next();
    if (request.presentedSession?.carrier === 'cookie') {
      response.append('Set-Cookie', sessionCookies.clear(['session']));
    }
    response.type('json').send('null');
  });

  router.post('/api/auth/admin/stop-impersonating', async (request, response) => {
    const session = request.session!;
    // A client with a bearer token has no cookies and must not receive any.
    const isBrowser = request.presentedSession?.carrier === 'cookie';
    const kept = isBrowser ? sessionCookies.readAdministrator(request.headers) : null;
    const { administrator, own } = await endImpersonation(database, session, kept?.token ?? null, now());
    const user = toUserRecord(administrator, now());
    const cookies = own
      ? [
          ...sessionCookies.clear([
            'administrator',
            ...(kept!.isRemembered ? (['notRemembered'] as const) : []),
          ]),
          sessionCookies.write(kept!.token, kept!.isRemembered),
        ]
      : sessionCookies.clear(['session', 'administrator', 'notRemembered']);
    if (isBrowser) response.append('Set-Cookie', cookies);
    response.json({ ...(own && { session: toSessionRecord(own, now(), kept!.token) }), user });
  });

  router.post('/api/auth/admin/list-user-sessions', async (request, response) => {
    const { userId } = inputOf(request, 'listUserSessions').body;
    const sessions = await listUserSessions(database, userId, now());
    response.json({ sessions: sessions.map((session) => toSessionRecord(session, now())) });
  });

  router.post('/api/auth/admin/revoke-user-session', async (request, response) => {
    const { sessionToken } = inputOf(request, 'revokeUserSession').body;
    await endSessions(dependencies, named(sessionToken), endedBy(request, 'administrator'), now());
    response.json({ success: true });
  });

  router.get('/api/auth/list-sessions', async (request, response) => {
    const sessions = await listOwnSessions(database, request.session!.userId, now());
    response.json(sessions.map((session) => toSessionRecord(session, now())));
  });

  router.post('/api/auth/revoke-session', async (request, response) => {
    const { token } = inputOf(request, 'revokeSession').body;
    const choice = { ...named(token), userId: request.session!.userId };
    await endSessions(dependencies, choice, endedBy(request, 'user'), now());
    response.json({ status: true });
  });

  router.post('/api/auth/revoke-sessions', async (request, response) => {
    const { userId } = request.session!;
    await endSessions(dependencies, { userId }, endedBy(request, 'user'), now());
    response.json({ status: true });
  });

  router.post('/api/auth/revoke-other-sessions', async (request, response) => {
    const { userId, id } = request.session!;
    await endSessions(dependencies, { userId, exceptId: id }, endedBy(request, 'user'), now());
    response.json({ status: true });
  });

  return router;
}

/** The event of a session that somebody has ended: from where and, for another's session, who. */
function endedBy(request: Request, who: 'user' | 'administrator') {
  const { userId } = request.session!;
  return {
    kind: 'session_ended' as const,
    client: clientOf(request),
    ...(who === 'administrator' && { administratorId: userId }),
  };
}

/** A session is identified by its id, which lists show, or by its token. */
function named(idOrToken: string): { id: string } | { token: string } {
  return isUuid(idOrToken) ? { id: idOrToken } : { token: idOrToken };
}

/** @param token the value of the field `token`; the id by default, because tokens are not stored */
function toSessionRecord(
  { user, activeOrganization, ...session }: Session,
  now: Date,
  token = session.id,
): unknown {
  const { id, expiresAt, createdAt, updatedAt, ipAddress, userAgent, impersonatedBy } = session;
  return toAccountRecords(
    {
      id,
      expiresAt: expiresAt.toISOString(),
      token,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      ipAddress,
      userAgent,
      userId: user.id,
      impersonatedBy,
      activeOrganizationId: activeOrganization?.id,
    },
    now,
  );
}

function toUserRecord(user: User, now: Date): Record<string, unknown> {
  const { id, name, email, emailVerified, image, role, banned, banReason, banExpires } = user;
  return toAccountRecords(
    {
      id,
      name,
      email,
      emailVerified,
      image,
      role,
      banned,
      banReason,
      banExpires: banExpires?.toISOString(),
      createdAt: user.createdAt.toISOString(),
      updatedAt: user.updatedAt.toISOString(),
    },
    now,
  ) as Record<string, unknown>;
}
