import type { EntityManager } from '@mikro-orm/postgresql';
import type { AuditAction } from '../audit/audit-event.entity.ts';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { LiveSession } from '../auth/sessions/find-session.ts';
import type { Mailer } from '../auth/mails/mailer.ts';
import { findBrokenConstraint, tablesOf, type Database } from '../database.ts';
import { ApiError, notFound, type FieldError } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { refuseTakenKeywords } from '../inbound/keywords/reserve-shared-keyword.ts';
import { senderIdReviewed } from '../notifications/notification-events.ts';
import { recordNotifications } from '../notifications/record-notifications.ts';
import { lockOrganization } from '../organizations/lock-organization.ts';
import { acrossOrganizations } from '../organizations/organization-scope.ts';
import { selectForReview, toReviewedRecord, type ReviewedSenderIdRecord } from './read-for-review.ts';
import { reviewMail } from './review-mail.ts';
import { SenderId, type SenderIdStatus } from './sender-id.entity.ts';
import { classifySender } from './sender-value.ts';

type SenderReview = Schemas['SenderIdReview'];

/**
 * Creates the function with which administrators approve or reject a pending sender ID. The review, the organization's
 * default sender, the audit event and the notifications are committed together. Then the requester is notified by mail.
 * If an already approved sender ID is approved with `isDefault` true, it becomes the default. This is not a new review,
 * so no one is notified.
 *
 * Errors: invalid_request, not_found, invalid_state, already_exists.
 */
export function createReviewSenderId(dependencies: {
  database: Database;
  mailer: Mailer | null;
}): (session: LiveSession, id: string, review: SenderReview) => Promise<ReviewedSenderIdRecord> {
  const { database, mailer } = dependencies;
  return async (session, id, review) => {
    checkReview(review);
    const { record, isReviewed } = await decide(database, session, id, review).catch((error: unknown) =>
      explainTakenValue(database.em, id, error),
    );
    // The notification is part of the transaction. A mail cannot be rolled back, so it is sent after the commit.
    const address = record.requestedBy?.email;
    if (isReviewed && address) mailer?.send(reviewMail(address, record));
    return record;
  };
}

function checkReview({ action, reason, isDefault }: SenderReview): void {
  if (action === 'approve') return;
  if (!reason) throw refuse('reason', 'required', 'is required to reject: it must say what to change');
  if (isDefault) throw refuse('isDefault', 'not_allowed', 'cannot be true for a rejected sender');
}

function refuse(field: string, code: FieldError['code'], message: string): ApiError {
  return new ApiError('invalid_request', `The review cannot be made: ${field} ${message}.`, {
    errors: [{ path: `/body/${field}`, code, message }],
  });
}

async function decide(
  database: Database,
  session: LiveSession,
  id: string,
  { action, reason, isDefault }: SenderReview,
): Promise<{ record: ReviewedSenderIdRecord; isReviewed: boolean }> {
  const status = action === 'approve' ? 'approved' : 'rejected';
  return database.em.fork().transactional(async (em) => {
    const db = em.getKysely<unknown>();
    const organizationId = await lockOrganizationOf(em, id);
    const reviewed = await tablesOf<typeof SenderId>(em)
      .updateTable('SenderId')
      .set({ status, reviewReason: reason || null, reviewedAt: new Date() })
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .returning('value')
      .executeTakeFirst();
    const { userId, impersonatedBy } = session;
    const note = (event: AuditAction, value: string) =>
      recordAuditEvent(
        em,
        { actor: { kind: 'user', id: userId }, impersonatedBy, organizationId },
        { action: event, subjectId: id, details: { value } },
      );
    if (reviewed) {
      if (action === 'approve') {
        if (classifySender(reviewed.value).kind === 'short_code') {
          await refuseTakenKeywords(db, organizationId, reviewed.value);
        }
        await setDefault(em, organizationId, id, isDefault);
      }
      note(`sender_id.${status}`, reviewed.value);
    } else {
      const sender = await em.findOne(SenderId, { id }, { filters: acrossOrganizations });
      if (!sender) throw notFound();
      if (sender.status !== 'approved' || action !== 'approve' || !isDefault) throw stateError(sender.status);
      if (!sender.isDefault) {
        await setDefault(em, organizationId, id, true);
        note('sender_id.made_default', sender.value);
      }
    }
    const found = await selectForReview(em).where('SenderId.id', '=', id).executeTakeFirstOrThrow();
    const record = toReviewedRecord(found);
    if (reviewed) await recordNotifications(db, [senderIdReviewed(record)], new Date());
    return { record, isReviewed: reviewed !== undefined };
  });
}

/** Of two reviews in one organization the second waits here, so that each sees the default that the other set. */
async function lockOrganizationOf(em: EntityManager, id: string): Promise<string> {
  const owner = tablesOf<typeof SenderId>(em)
    .selectFrom('SenderId')
    .select('organization')
    .where('id', '=', id)
    .$asScalar();
  const organizationId = await lockOrganization(em, owner);
  if (organizationId === null) throw notFound();
  return organizationId;
}

/**
 * Sets the default sender. Unless `isDefault` is false, the first approved sender becomes the default: without a
 * default, every message would need `from`.
 */
async function setDefault(
  em: EntityManager,
  organizationId: string,
  id: string,
  isDefault: boolean | undefined,
): Promise<void> {
  if (isDefault === false) return;
  const tables = tablesOf<typeof SenderId>(em);
  const defaults = tables
    .selectFrom('SenderId as other')
    .select('other.id')
    .where('other.organization', '=', organizationId)
    .where('other.isDefault', '=', true);
  if (isDefault) {
    await tables.updateTable('SenderId').set({ isDefault: false }).where('id', 'in', defaults).execute();
  }
  await tables
    .updateTable('SenderId')
    .set({ isDefault: true })
    .where('id', '=', id)
    .where((sender) => sender.not(sender.exists(defaults)))
    .execute();
}

function stateError(status: SenderIdStatus): ApiError {
  const isApproved = status === 'approved';
  return new ApiError(
    'invalid_state',
    `The sender ID is ${status}; only a pending one can be approved or rejected.` +
      (isApproved ? ' To make it the default sender, approve it with isDefault true.' : ''),
  );
}

/** Rethrows an error. If the value is already approved for an organization, the new error names the organization. */
async function explainTakenValue(em: EntityManager, id: string, error: unknown): Promise<never> {
  if (findBrokenConstraint(error) !== 'sender_ids_approved_unique') throw error;
  const owner = await selectForReview(em)
    .innerJoin('SenderId as wanted', (join) =>
      join.on(({ fn, eb }) => eb(fn('lower', ['SenderId.value']), '=', fn('lower', ['wanted.value']))),
    )
    .where('wanted.id', '=', id)
    .where('SenderId.status', '=', 'approved')
    .executeTakeFirst();
  throw new ApiError(
    'already_exists',
    owner
      ? `${owner.value} is approved for the organization ${owner.organizationName} (${owner.organization}), and only ` +
          `one organization may have a sender. Contact that organization, or reject this request.`
      : 'The value was approved for another organization at the same time. Try again.',
  );
}
