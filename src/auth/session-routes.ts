import { Router } from 'express';
import type { Database } from '../database.ts';
import { endImpersonation } from './end-impersonation.ts';
import { toAccountRecords } from './records.ts';
import type { SessionCookies } from './session-cookies.ts';
import type { Session } from './session.entity.ts';
import type { User } from './user.entity.ts';
import { listUserSessions, revokeUserSession } from './user-sessions.ts';

/**
 * The account endpoints that better-auth would answer so that a session is lent for longer than it should be: its
 * own stop-impersonating ends nothing without a cookie, its lists hand out tokens, and its get-session shows a
 * session whose administrator is none any more.
 */
export function sessionRoutes(dependencies: {
  database: Database;
  sessionCookies: SessionCookies;
  now: () => Date;
}): Router {
  const { database, sessionCookies, now } = dependencies;
  const router = Router();

  router.get('/api/auth/get-session', (request, response, next) => {
    if (request.session) return next();
    if (sessionCookies.read(request.headers)?.carrier === 'cookie') {
      response.append('Set-Cookie', sessionCookies.clear(['session']));
    }
    response.set('Cache-Control', 'no-store').type('json').send('null');
  });

  router.post('/api/auth/admin/stop-impersonating', async (request, response) => {
    const kept = sessionCookies.readAdministrator(request.headers);
    const session = request.session!;
    const { administrator, own } = await endImpersonation(database, session, kept?.token ?? null, now());
    const user = toUserRecord(administrator);
    const cookies = own
      ? [
          ...sessionCookies.clear([
            'administrator',
            ...(kept!.isRemembered ? (['notRemembered'] as const) : []),
          ]),
          sessionCookies.write(own.token, kept!.isRemembered),
        ]
      : sessionCookies.clear(['session', 'administrator', 'notRemembered']);
    // Who came with a bearer token keeps no cookies, and is not to be given any.
    if (sessionCookies.read(request.headers)?.carrier === 'cookie') response.append('Set-Cookie', cookies);
    response.set('Cache-Control', 'no-store');
    response.json({ ...(own && { session: toSessionRecord(own, own.token) }), user });
  });

  router.post('/api/auth/admin/list-user-sessions', async (request, response) => {
    const { userId } = request.body as { userId: string };
    const sessions = await listUserSessions(database, userId, now());
    response.set('Cache-Control', 'no-store');
    response.json({ sessions: sessions.map((session) => toSessionRecord(session, session.id)) });
  });

  router.post('/api/auth/admin/revoke-user-session', async (request, response) => {
    const { sessionToken } = request.body as { sessionToken: string };
    await revokeUserSession(database, sessionToken);
    response.json({ success: true });
  });

  return router;
}

/** @param shownToken what stands as `token`: the real one is for the session's own user alone */
function toSessionRecord({ user, activeOrganization, ...session }: Session, shownToken: string): unknown {
  const { id, expiresAt, createdAt, updatedAt, ipAddress, userAgent, impersonatedBy } = session;
  return toAccountRecords({
    ...{ id, expiresAt: expiresAt.toISOString(), token: shownToken },
    ...{ createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() },
    ...{ ipAddress, userAgent, userId: user.id, impersonatedBy },
    activeOrganizationId: activeOrganization?.id,
  });
}

function toUserRecord(user: User): Record<string, unknown> {
  const { id, name, email, emailVerified, image, role, banned, banReason, banExpires } = user;
  return toAccountRecords({
    ...{ id, name, email, emailVerified, image, role, banned, banReason },
    banExpires: banExpires?.toISOString(),
    ...{ createdAt: user.createdAt.toISOString(), updatedAt: user.updatedAt.toISOString() },
  }) as Record<string, unknown>;
}
