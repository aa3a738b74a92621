import type { Database } from '../database.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenants } from '../organizations/organization-scope.ts';
import { readCaps, readUsed } from './count-within-caps.ts';
import {
  capInDay,
  capInHour,
  keyOfCount,
  newOrganizationScope,
  organizationScope,
  scopeOfPrefix,
  type Cap,
} from './sending-caps.ts';

/** Returns the caps on the live messages of an organization, and how much of them is used, for its members. */
export async function getSendingLimits(
  database: Database,
  organizationId: string,
  now: Date,
): Promise<Schemas['SendingLimits']> {
  return asTenants(database, [organizationId], async (db) => {
    const caps = (await readCaps(db, [organizationId], now)).get(organizationId)!;
    const ofOrganization = capInHour(organizationScope, caps.messagesPerHour, now);
    const ofNew = capInDay(newOrganizationScope, caps.newOrganizationMessagesPerDay, now);
    const prefixes = (caps.prefixCaps ?? []).map(({ prefix, messagesPerHour }) => ({
      prefix,
      cap: capInHour(scopeOfPrefix(prefix), messagesPerHour, now)!,
    }));
    const counted = [ofOrganization, ofNew, ...prefixes.map(({ cap }) => cap)].filter((cap) => cap !== null);
    const used = await readUsed(
      db,
      counted.map((cap) => ({ organizationId, ...cap })),
    );
    const useOf = (cap: Cap): Schemas['SendingCapUse'] => ({
      limit: cap.limit,
      used: used.get(keyOfCount(organizationId, cap)) ?? 0,
      resetsAt: cap.windowEnd.toISOString(),
    });
    return {
      messagesPerHour: ofOrganization && useOf(ofOrganization),
      recipientMessagesPerHour: caps.recipientMessagesPerHour,
      recipientMessagesPerDay: caps.recipientMessagesPerDay,
      prefixes: prefixes.map(({ prefix, cap }) => ({ prefix, cap: useOf(cap) })),
      newOrganization: ofNew && {
        messagesPerDay: useOf(ofNew),
        endsAt: caps.newUntil!.toISOString(),
      },
    };
  });
}
