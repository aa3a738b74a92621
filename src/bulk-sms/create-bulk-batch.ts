import { sql } from 'kysely';
import { v7 as uuidv7, validate } from 'uuid';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { WorkflowCalls } from '../dispatches/row-workflows.ts';
import { ApiError, notFound } from '../errors.ts';
import type { Schemas } from '../http/contract-types.ts';
import { asTenant, type ScopedEntityManager } from '../organizations/organization-scope.ts';
import { findPermittedSender } from '../sender-ids/permitted-sender.ts';
import { parseMergeFields } from '../templates/merge-fields.ts';
import type { BulkBatchRecord } from './bulk-batch-record.ts';
import { findBatchRecord } from './get-bulk-batch.ts';

/** How far in the past `scheduledAt` may be: allows for the time the request travels, and for clocks that differ. */
const startToleranceMs = 60_000;

/**
 * Stores a batch and starts its sending, at once or at `scheduledAt`. The recipients are the members of the phonebook
 * at the time sending starts.
 *
 * Errors: invalid_request, not_found for campaign or phonebook, invalid_state of the campaign, contact_list_empty,
 * sender_required, sender_not_approved.
 */
export async function createBulkBatch(
  dependencies: { database: Database; workflows: WorkflowCalls; now: () => Date },
  principal: Principal,
  input: Schemas['BulkSmsInput'],
): Promise<BulkBatchRecord> {
  const { database, workflows } = dependencies;
  const now = dependencies.now();
  checkText(input.text);
  const scheduledAt = readScheduledAt(input.scheduledAt, now);
  const waits = scheduledAt !== null && scheduledAt > now;
  const record = await asTenant(database, principal, async (em) => {
    const campaign = await lockCampaign(em, input.campaignId);
    const members = await countMembers(em, input.contactListId);
    if (members === 0 && !waits) {
      throw new ApiError('contact_list_empty', 'The contact list has no members. Add members first.', {
        errors: [{ path: '/body/contactListId', code: 'contact_list_empty', message: 'has no members' }],
      });
    }
    const sender = await findSender(em, principal, campaign.sender);
    const id = uuidv7();
    await sql`
      insert into bulk_batches (
        id, organization_id, environment, campaign_id, contact_list_id, text, sender, status, scheduled_at,
        created_by_kind, created_by_id, wake_at, created_at
      ) values (
        ${id}, ${principal.organizationId}, ${principal.environment}, ${campaign.id}, ${input.contactListId},
        ${input.text}, ${sender}, ${waits ? 'scheduled' : 'pending'}, ${scheduledAt},
        ${principal.actor.kind}, ${principal.actor.id}, ${waits ? scheduledAt : now}, ${now}
      )
    `.execute(em.getKysely());
    // The caller sees the created batch, whatever environment the caller requested to see.
    const { organizationId, environment } = principal;
    return findBatchRecord(em, { organizationId, sees: [environment] }, id, now);
  });
  workflows.start(record);
  return record;
}

/** @throws ApiError invalid_request if the text has a merge field that cannot be filled in */
export function checkText(text: string): void {
  const { problems } = parseMergeFields(text);
  if (problems.length === 0) return;
  throw new ApiError('invalid_request', `The text ${problems[0]!.message}.`, {
    errors: problems.map(({ code, message }) => ({ path: '/body/text', code, message })),
  });
}

function readScheduledAt(given: string | undefined, now: Date): Date | null {
  if (given === undefined) return null;
  const scheduledAt = new Date(given);
  if (scheduledAt.getTime() >= now.getTime() - startToleranceMs) return scheduledAt;
  const message = 'must not be more than a minute ago';
  throw new ApiError('invalid_request', `The batch cannot be sent: \`scheduledAt\` ${message}.`, {
    errors: [{ path: '/body/scheduledAt', code: 'in_the_past', message }],
  });
}

/** The campaign is locked until the batch is stored, so that it is neither deleted nor paused in between. */
async function lockCampaign(
  em: ScopedEntityManager,
  id: string,
): Promise<{ id: string; sender: string | null }> {
  if (!validate(id)) throw notFound();
  const { rows } = await sql<{ id: string; sender: string | null; status: string }>`
    select id, sender, status from campaigns where id = ${id} for share
  `.execute(em.getKysely());
  const campaign = rows[0];
  if (!campaign) throw notFound();
  if (campaign.status !== 'active') {
    throw new ApiError(
      'invalid_state',
      `The campaign is ${campaign.status}. Make it active before you send a batch.`,
    );
  }
  return campaign;
}

/** Counts the contacts in a phonebook. Errors: not_found. */
export async function countMembers(em: ScopedEntityManager, contactListId: string): Promise<number> {
  if (!validate(contactListId)) throw notFound();
  const { rows } = await sql<{ members: number }>`
    select member_count as members from phonebooks where id = ${contactListId}
  `.execute(em.getKysely());
  if (!rows[0]) throw notFound();
  return rows[0].members;
}

async function findSender(
  em: ScopedEntityManager,
  principal: Principal,
  wanted: string | null,
): Promise<string> {
  const sender = await findPermittedSender(em.getKysely(), principal, wanted);
  if (sender !== null) return sender;
  throw wanted === null
    ? new ApiError(
        'sender_required',
        'The campaign has no sender, and the organization has no approved default sender.',
      )
    : new ApiError(
        'sender_not_approved',
        'The sender of the campaign is not approved for this organization.',
      );
}
