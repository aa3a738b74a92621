import { Router, type Request } from 'express';
import { findMembership } from '../auth/access/authorize.ts';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import type { EventStreams } from '../streams/event-streams.ts';
import { listNotifications } from './list-notifications.ts';
import { findStart, type NotificationFeed } from './notification-feed.ts';
import type { Reader } from './notification-record.ts';
import { readAllNotifications, readNotification } from './read-notifications.ts';

export function notificationRoutes(dependencies: {
  database: Database;
  streams: EventStreams;
  notificationFeed: NotificationFeed;
  now: () => Date;
}): Router {
  const { database, streams, notificationFeed, now } = dependencies;
  const router = Router();

  router.get('/api/v1/notifications', async (request, response) => {
    const { query } = inputOf(request, 'listNotifications');
    const filter = { unread: query.unread === 'true' };
    response.json(await listNotifications(database, findReader(request, query), filter, readCursor(request)));
  });

  router.get('/api/v1/notifications/stream', async (request, response) => {
    const reader = findReader(request, inputOf(request, 'streamNotifications').query);
    // An empty value means the same as no header (WHATWG HTML, 9.2.4).
    const position = await findStart(database, reader, request.get('Last-Event-ID') || null);
    notificationFeed.follow(streams.open(request, response, reader.organizationId), reader, position);
  });

  router.patch('/api/v1/notifications/:notificationId/read', async (request, response) => {
    const { notificationId } = request.params;
    const reader = findReader(request, inputOf(request, 'readNotification').query);
    response.json(await readNotification(database, reader, notificationId, now()));
  });

  router.post('/api/v1/notifications/read-all', async (request, response) => {
    const { principal } = request;
    const reader = { userId: principal.actor.id, organizationId: principal.organizationId };
    response.json(await readAllNotifications(database, reader, now()));
  });

  return router;
}

/**
 * Determines the reader and the organization that they view, by the usual rules with one
 * exception: a person who belongs to no organization sees the notifications that belong to them, for example
 * invitations. Errors: organization_required; not_found if the person is not a member of the organization.
 */
function findReader({ session }: Request, { organizationId }: { organizationId?: string }): Reader {
  const { userId, memberships } = session!;
  if (organizationId === undefined && memberships.length === 0) return { userId, organizationId: null };
  return { userId, organizationId: findMembership(session!, organizationId).organizationId };
}
