import { sql } from 'kysely';
import { validate } from 'uuid';
import type { AuditAction } from '../audit/audit-event.entity.ts';
import { recordAuditEvent } from '../audit/record-audit-event.ts';
import type { LiveSession } from '../auth/find-session.ts';
import type { Mailer } from '../auth/mailer.ts';
import { findBrokenConstraint, sqlOf, type Database, type Sql } from '../database.ts';
import { ApiError, notFound } from '../errors.ts';
import { refuseTakenKeywords } from '../inbound/hold-shared-keyword.ts';
import { senderIdReviewed } from '../notifications/notification-events.ts';
import { recordNotifications } from '../notifications/record-notifications.ts';
import { isApprovedSender } from './permitted-sender.ts';
import { readForReview, type ReviewedSenderIdRecord } from './read-for-review.ts';
import { reviewMail } from './review-mail.ts';
import { classifySender } from './sender-value.ts';

/** The body of PATCH /api/v1/admin/sender-ids/{senderId}/review, already validated against openapi.yaml. */
export interface SenderReview {
  action: 'approve' | 'reject';
  reason?: string;
  isDefault?: boolean;
}

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
    if (!validate(id)) throw notFound();
    const { record, isReviewed } = await decide(database, session, id, review).catch((error: unknown) =>
      explainTakenValue(sqlOf(database), id, error),
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

function refuse(field: string, code: string, message: string): ApiError {
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
    const organizationId = await lockOrganizationOf(db, id);
    const { rows } = await sql<{ value: string }>`
      update sender_ids set status = ${status}, review_reason = ${reason || null}, reviewed_at = ${new Date()}
      where id = ${id} and status = 'pending' returning value
    `.execute(db);
    const { userId, impersonatedBy } = session;
    const note = (event: AuditAction, value: string) =>
      recordAuditEvent(
        em,
        { actor: { kind: 'user', id: userId }, impersonatedBy, organizationId },
        { action: event, subjectId: id, details: { value } },
      );
    const reviewed = rows[0];
    if (reviewed) {
      if (action === 'approve') {
        if (classifySender(reviewed.value).kind === 'short_code') {
          await refuseTakenKeywords(db, organizationId, reviewed.value);
        }
        await setDefault(db, organizationId, id, isDefault);
      }
      note(`sender_id.${status}`, reviewed.value);
    } else {
      const approved = action === 'approve' && isDefault ? await findApproved(db, id) : undefined;
      if (!approved) throw await stateError(db, id);
      if (!approved.isDefault) {
        await setDefault(db, organizationId, id, true);
        note('sender_id.made_default', approved.value);
      }
    }
    const [record] = await readForReview(db, sql`sender_ids.id = ${id}`, 1);
    if (reviewed) await recordNotifications(db, [senderIdReviewed(record!)], new Date());
    return { record: record!, isReviewed: reviewed !== undefined };
  });
}

async function findApproved(db: Sql, id: string): Promise<{ value: string; isDefault: boolean } | undefined> {
  const { rows } = await sql<{ value: string; isDefault: boolean }>`
    select value, is_default as "isDefault" from sender_ids where id = ${id} and ${isApprovedSender('sender_ids')}
  `.execute(db);
  return rows[0];
}

/** Of two reviews in one organization the second waits here, so that each sees the default that the other set. */
async function lockOrganizationOf(db: Sql, id: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id from organizations where id = (select organization_id from sender_ids where id = ${id})
    for no key update
  `.execute(db);
  if (!rows[0]) throw notFound();
  return rows[0].id;
}

/**
 * Sets the default sender. Unless `isDefault` is false, the first approved sender becomes the default: without a
 * default, every message would need `from`.
 */
async function setDefault(
  db: Sql,
  organizationId: string,
  id: string,
  isDefault: boolean | undefined,
): Promise<void> {
  if (isDefault === false) return;
  if (isDefault) {
    await sql`update sender_ids set is_default = false where organization_id = ${organizationId} and is_default`.execute(
      db,
    );
  }
  await sql`
    update sender_ids set is_default = true where id = ${id} and not exists (
      select from sender_ids other where other.organization_id = ${organizationId} and other.is_default
    )
  `.execute(db);
}

async function stateError(db: Sql, id: string): Promise<ApiError> {
  const { rows } = await sql<{ status: string }>`select status from sender_ids where id = ${id}`.execute(db);
  if (!rows[0]) return notFound();
  const { status } = rows[0];
  const isApproved = status === 'approved';
  return new ApiError(
    'invalid_state',
    `The sender ID is ${status}; only a pending one can be approved or rejected.` +
      (isApproved ? ' To make it the default sender, approve it with isDefault true.' : ''),
  );
}

/** Rethrows an error. If the value is already approved for an organization, the new error names the organization. */
async function explainTakenValue(db: Sql, id: string, error: unknown): Promise<never> {
  if (findBrokenConstraint(error) !== 'sender_ids_approved_unique') throw error;
  const { rows } = await sql<{ organizationId: string; name: string; value: string }>`
    select owner.organization_id as "organizationId", organizations.name, owner.value
    from sender_ids wanted
    join sender_ids owner on lower(owner.value) = lower(wanted.value) and ${isApprovedSender('owner')}
    join organizations on organizations.id = owner.organization_id
    where wanted.id = ${id}
  `.execute(db);
  const owner = rows[0];
  throw new ApiError(
    'already_exists',
    owner
      ? `${owner.value} is approved for the organization ${owner.name} (${owner.organizationId}), and only ` +
          `one organization may have a sender. Contact that organization, or reject this request.`
      : 'The value was approved for another organization at the same time. Try again.',
  );
}
