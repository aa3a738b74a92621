import { sql } from 'kysely';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { WorkflowCalls } from '../dispatches/row-workflows.ts';
import type { Sealer } from '../messages/sealer.ts';
import { asTenant } from '../organizations/organization-scope.ts';
import { makeTimeOrderedId } from '../time-ordered-id.ts';
import { toErasureRecord, type ErasureRecord } from './erasure-record.ts';
import { Erasure } from './erasure.entity.ts';
import type { HashNumber } from './number-hash.ts';
import { readNumber } from './read-number.ts';

/**
 * Creates the function that stores an erasure with its audit event, and starts its workflow. It does not wait for the
 * start: if the start fails, the sweep finds the row. While an erasure of the number is in progress, the function
 * returns that one: of two at once, the unique index lets one be stored. Errors: invalid_recipient.
 */
export function createRequestErasure(dependencies: {
  database: Database;
  hashNumber: HashNumber;
  numberSealer: Sealer;
  workflows: WorkflowCalls;
  now: () => Date;
}): (principal: Principal, input: { phoneNumber: string }) => Promise<ErasureRecord> {
  const { database, hashNumber, numberSealer, workflows, now } = dependencies;
  return async (principal, input) => {
    const { organizationId, actor } = principal;
    const phoneNumber = readNumber(input.phoneNumber, '/body/phoneNumber');
    const numberHash = await hashNumber(phoneNumber);
    const createdAt = now();
    const id = makeTimeOrderedId(createdAt);
    const erasure = await asTenant(database, principal, async (em) => {
      // An update that changes nothing returns the existing row, even a row inserted at this very moment.
      const { rows } = await sql<{ id: string }>`
        insert into erasures (id, organization_id, number_hash, sealed_number, status, requested_by, created_at, wake_at)
        values (${id}, ${organizationId}, decode(${numberHash}, 'hex'),
          decode(${numberSealer.seal(id, phoneNumber)}, 'base64'), 'running', ${actor.id}, ${createdAt},
          -- By the real clock, like the sweep.
          ${new Date()})
        on conflict (organization_id, number_hash) where completed_at is null
          do update set status = erasures.status
        returning id
      `.execute(em.getKysely());
      if (rows[0]!.id === id) recordAuditEvent(em, principal, { action: 'erasure.requested', subjectId: id });
      return em.findOneOrFail(Erasure, { id: rows[0]!.id });
    });
    workflows.start({ id: erasure.id, organizationId });
    return toErasureRecord(erasure);
  };
}
