import { v7 as uuidv7 } from 'uuid';
import { lockActiveCampaign } from '../campaigns/lock-active-campaign.ts';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import type { WorkflowCalls } from '../dispatches/row-workflows.ts';
import { ApiError } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenant, type ScopedEntityManager } from '../organizations/organization-scope.ts';
import { countMembers } from '../phonebooks/count-members.ts';
import { findPermittedSender } from '../sender-ids/permitted-sender.ts';
import { parseMergeFields } from '../templates/merge-fields.ts';
import type { BulkBatchRecord } from './bulk-batch-record.ts';
import { BulkBatch } from './bulk-batch.entity.ts';
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
    // Locked until the batch is stored.
    const campaign = await lockActiveCampaign(em, input.campaignId);
    const members = await countMembers(em, input.contactListId);
    if (members === 0 && !waits) {
      throw new ApiError('contact_list_empty', 'The contact list has no members. Add members first.', {
        errors: [{ path: '/body/contactListId', code: 'contact_list_empty', message: 'has no members' }],
      });
    }
    const sender = await findSender(em, principal, campaign.sender);
    const id = uuidv7();
    em.create(BulkBatch, {
      id,
      organization: principal.organizationId,
      environment: principal.environment,
      campaign,
      contactListId: input.contactListId,
      text: input.text,
      sender,
      status: waits ? 'scheduled' : 'pending',
      scheduledAt,
      ratePerSecond: null,
      createdByKind: principal.actor.kind,
      createdById: principal.actor.id,
      wakeAt: waits ? scheduledAt : now,
      createdAt: now,
      windowStartedAt: null,
      measuredPerSecond: null,
      settledCounts: null,
      failure: null,
      startedAt: null,
      completedAt: null,
    });
    await em.flush();
    // The caller sees the created batch, whatever environment the caller requested to see.
    const { organizationId, environment } = principal;
    return findBatchRecord(em, { organizationId, visibleEnvironments: [environment] }, id, now);
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
        'The campaign has no sender, and the organization has no approved default sender. ' +
          'Get a default sender approved, or set `sender` of the campaign to an approved one.',
      )
    : new ApiError(
        'sender_not_approved',
        'The sender of the campaign is not approved for this organization.',
      );
}
