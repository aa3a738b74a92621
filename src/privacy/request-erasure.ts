import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Administrator } from '../auth/administrator.ts';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { WorkflowCalls } from '../dispatches/row-workflows.ts';
import type { Sealer } from '../messages/sealer.ts';
import { acrossOrganizations, asTenant } from '../organizations/organization-scope.ts';
import { makeTimeOrderedId } from '../time-ordered-id.ts';
import {
  toErasureRecord,
  toPlatformErasureRecord,
  type ErasureRecord,
  type PlatformErasureRecord,
} from './erasure-record.ts';
import { Erasure } from './erasure.entity.ts';
import type { HashNumber } from './number-hash.ts';
import { readNumber } from './read-number.ts';

interface Dependencies {
  database: Database;
  hashNumber: HashNumber;
  numberSealer: Sealer;
  workflows: WorkflowCalls;
  now: () => Date;
}

/**
 * Creates the function that stores an erasure with its audit event, and starts its workflow. It does not wait for the
 * start: if the start fails, the sweep finds the row. While an erasure of the number is in progress, the function
 * returns that one: of two at once, the unique index lets one be stored. Errors: invalid_recipient.
 */
export function createRequestErasure(
  dependencies: Dependencies,
): (principal: Principal, input: { phoneNumber: string }) => Promise<ErasureRecord> {
  const { database, workflows } = dependencies;
  return async (principal, { phoneNumber }) => {
    const { organizationId } = principal;
    const wanted = await draft(dependencies, phoneNumber);
    const erasure = await asTenant(database, principal, (em) =>
      insert(em, { ...principal, organizationId }, wanted),
    );
    workflows.start({ id: erasure.id, organizationId });
    return toErasureRecord(erasure);
  };
}

/**
 * Creates the same function for administrators: it erases the number from what belongs to no organization. Errors:
 * invalid_recipient.
 */
export function createRequestPlatformErasure(
  dependencies: Dependencies,
): (administrator: Administrator, input: { phoneNumber: string }) => Promise<PlatformErasureRecord> {
  const { database, workflows } = dependencies;
  return async (administrator, { phoneNumber }) => {
    const wanted = await draft(dependencies, phoneNumber);
    const erasure = await database.em
      .fork()
      .transactional((em) => insert(em, { ...administrator, organizationId: null }, wanted));
    workflows.start({ id: erasure.id, organizationId: null });
    return toPlatformErasureRecord(erasure);
  };
}

interface Draft {
  id: string;
  numberHash: string;
  sealedNumber: string;
  createdAt: Date;
}

async function draft({ hashNumber, numberSealer, now }: Dependencies, given: string): Promise<Draft> {
  const phoneNumber = readNumber(given, '/body/phoneNumber');
  const numberHash = await hashNumber(phoneNumber);
  const createdAt = now();
  const id = makeTimeOrderedId(createdAt);
  return { id, numberHash, sealedNumber: numberSealer.seal(id, phoneNumber), createdAt };
}

async function insert(
  em: EntityManager,
  requester: Pick<Principal, 'actor' | 'impersonatedBy'> & { organizationId: string | null },
  { id, numberHash, sealedNumber, createdAt }: Draft,
): Promise<Erasure> {
  const { organizationId, actor } = requester;
  const open =
    organizationId === null
      ? sql`(number_hash) where organization_id is null and completed_at is null`
      : sql`(organization_id, number_hash) where completed_at is null`;
  // An update that changes nothing returns the existing row, even a row inserted at this very moment.
  const { rows } = await sql<{ id: string }>`
    insert into erasures (id, organization_id, number_hash, sealed_number, status, requested_by, created_at, wake_at)
    values (${id}, ${organizationId}, decode(${numberHash}, 'hex'), decode(${sealedNumber}, 'base64'), 'running',
      ${actor.id}, ${createdAt},
      -- By the real clock, like the sweep.
      ${new Date()})
    on conflict ${open} do update set status = erasures.status
    returning id
  `.execute(em.getKysely());
  if (rows[0]!.id === id) recordAuditEvent(em, requester, { action: 'erasure.requested', subjectId: id });
  const filters = organizationId === null ? acrossOrganizations : {};
  return em.findOneOrFail(Erasure, { id: rows[0]!.id }, { filters });
}
