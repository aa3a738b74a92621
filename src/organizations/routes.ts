import { Router } from 'express';
import type { InvitationLimits } from '../auth/access/limit-invitations.ts';
import type { Database } from '../database.ts';
import { readCursor } from '../http/cursor.ts';
import { inputOf } from '../http/contract/input-of.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import type { RateLimits } from '../rate-limits/limit-rate.ts';
import { codesPerRecipient } from '../security-codes/send-security-code.ts';
import { getSendingLimits } from '../sending-controls/get-sending-limits.ts';
import { listAllOrganizations } from './list-all-organizations.ts';
import { listInvitations } from './list-invitations.ts';

export function organizationRoutes(dependencies: {
  database: Database;
  rateLimits: Pick<RateLimits, 'caller' | 'organization'>;
  invitationLimits: InvitationLimits;
  now: () => Date;
}): Router {
  const { database, rateLimits, invitationLimits, now } = dependencies;
  const router = Router();

  router.get('/api/v1/organizations/invitations', async (request, response) => {
    response.json(await listInvitations(database, request.session!, readCursor(request), now()));
  });

  router.get('/api/v1/organizations/limits', async (request, response) => {
    const limits: Schemas['OrganizationLimits'] = {
      requestsPerMinute: rateLimits.organization,
      requestsPerMinuteOfCaller: rateLimits.caller,
      invitationsPerDayOfUser: invitationLimits.byPerson,
      securityCodesPerRecipient: codesPerRecipient,
      sending: await getSendingLimits(database, request.principal.organizationId, now()),
    };
    response.json(limits);
  });

  router.get('/api/v1/admin/organizations', async (request, response) => {
    const { query } = inputOf(request, 'listAllOrganizations');
    response.json(await listAllOrganizations(database, query, readCursor(request)));
  });

  return router;
}
