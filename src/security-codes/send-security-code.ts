import { sql } from 'kysely';
import type { Principal } from '../principal.ts';
import { tablesOf, type Database, type Sql } from '../database.ts';
import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import { ApiError } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import {
  findAnswers,
  keyInProgress,
  keyReused,
  nameOfKey,
  tryHoldKey,
  type IdempotentResult,
  type OwnedKeyUse,
} from '../idempotency/find-answer.ts';
import { storeAnswer } from '../idempotency/store-answer.ts';
import type { IdempotencyKeyUse } from '../idempotency/idempotency-key-use.ts';
import { capError, refusalError } from '../messages/draft-message.ts';
import type { Sealer } from '../messages/sealer.ts';
import { storeWithinCaps } from '../messages/store-capped-messages.ts';
import type { StoredDraft } from '../messages/store-messages.ts';
import type { HashNumber } from '../privacy/number-hash.ts';
import { asTenant, type ScopedEntityManager } from '../organizations/organization-scope.ts';
import { lockName } from '../lock-name.ts';
import { toDate } from '../stored-rows.ts';
import { activeTraceparent } from '../tracing.ts';
import type { SecurityCode } from './security-code.entity.ts';
import { heldUntil } from './watch/held-until.ts';
import { draftSecurityCode, type SecurityCodeDraft, type SecurityCodeOrder } from './draft-security-code.ts';

/** The maximum number of codes for one recipient, in a sliding window. */
export const codesPerRecipient = { codes: 5, windowSeconds: 600 };

/** The response to a send request. It contains everything about the code except the code itself. */
export type SecurityCodeRecord = Schemas['SecurityCode'];

/**
 * Creates the function that handles POST /api/v1/security-codes/send: it generates a code, stores its verification and
 * its message in one transaction, and starts the dispatches of both. A pending code for the same recipient and purpose
 * is superseded.
 *
 * Errors: invalid_request (template), invalid_recipient, sender_required, sender_not_approved, destination_not_allowed,
 * content_refused, security_codes_held, sending_cap_reached, rate_limited, idempotency_key_reused,
 * idempotency_in_progress.
 */
export function createSendSecurityCode(dependencies: {
  database: Database;
  pepper: string;
  sealer: Sealer;
  startMessages: (row: DispatchRow) => void;
  startCodes: (row: DispatchRow) => void;
  completeCodeDispatches: (dispatchIds: string[]) => void;
  hashNumber: HashNumber;
  now: () => Date;
}): (
  principal: Principal,
  order: SecurityCodeOrder,
  keyUse: IdempotencyKeyUse | null,
) => Promise<IdempotentResult<SecurityCodeRecord>> {
  const { database, startMessages, startCodes, completeCodeDispatches, hashNumber, now } = dependencies;

  return async (principal, order, keyUse) => {
    const { organizationId, environment } = principal;
    const draft = draftSecurityCode(principal, order, dependencies, now());
    const owned = keyUse && { ...keyUse, organizationId, environment };
    const traceparent = activeTraceparent();

    const result = await asTenant(database, principal, async (em) => {
      const db = em.getKysely<unknown>();
      await lockRecipient(db, draft);
      const answered = owned && (await findResponseOrLockKey(db, owned, draft.createdAt));
      if (answered) return { kind: 'replayed' as const, ...answered };
      await enforceSendLimits(db, draft);
      const superseded = await supersedePending(db, draft);
      const sender = senderOf(
        await storeWithinCaps(db, { ...draft.message, traceparent }, hashNumber),
        order,
        draft,
      );
      await storeCode(em, draft);
      const record = toRecord(draft, order, sender);
      if (owned) await storeAnswer(db, owned, { status: 202, body: JSON.stringify(record) }, draft.createdAt);
      return { kind: 'made' as const, record, superseded };
    });
    if (result.kind === 'replayed') return result;

    startMessages({ id: draft.message.id, organizationId, traceparent });
    startCodes({ id: draft.id, organizationId, traceparent });
    completeCodeDispatches(result.superseded);
    return { kind: 'made', record: result.record };
  };
}

/** Serializes the sends to one recipient, so that they can be counted and only the newest code is pending. */
async function lockRecipient(db: Sql, { message }: SecurityCodeDraft): Promise<void> {
  const { organizationId, environment, recipient } = message;
  await lockName(db, ['security-codes', organizationId, environment, recipient]);
}

/** Returns the response that is stored under the key, or null if this transaction now holds the key. */
async function findResponseOrLockKey(
  db: Sql,
  keyUse: OwnedKeyUse,
  now: Date,
): Promise<{ status: number; body: string } | null> {
  const { rows } = await sql<{ held: boolean }>`
    select ${tryHoldKey(sql`${nameOfKey(keyUse)}::text`)} as held
  `.execute(db);
  const [answer] = await findAnswers(db, [keyUse], now);
  if (answer === 'key_reused') throw keyReused();
  if (!answer && !rows[0]!.held) throw keyInProgress();
  return answer ?? null;
}

/** Refuses a code that is one too many for its recipient, or whose prefix is held: docs/decisions/security-code-watch.md. */
async function enforceSendLimits(db: Sql, { message, createdAt }: SecurityCodeDraft): Promise<void> {
  const { rows } = await sql<{ heldUntil: string | null; waitSeconds: number | null }>`
    select ${heldUntil(message, createdAt)} as "heldUntil", (
      select ceil(extract(epoch from created_at - ${createdAt}::timestamptz) + ${codesPerRecipient.windowSeconds}::int)::int
      from security_codes
      where organization_id = ${message.organizationId} and environment = ${message.environment}
        and recipient = ${message.recipient}
        and created_at > ${createdAt}::timestamptz - make_interval(secs => ${codesPerRecipient.windowSeconds})
      order by created_at desc offset ${codesPerRecipient.codes - 1} limit 1
    ) as "waitSeconds"
  `.execute(db);
  const limits = rows[0]!;
  if (limits.heldUntil !== null) throw heldError(toDate(limits.heldUntil));
  if (limits.waitSeconds === null) return;
  // A request with a later clock reading may have been processed first. The wait would then exceed the window.
  const waitSeconds = Math.min(Math.max(1, limits.waitSeconds), codesPerRecipient.windowSeconds);
  throw new ApiError(
    'rate_limited',
    `The limit of ${codesPerRecipient.codes} codes to this recipient in ${codesPerRecipient.windowSeconds / 60} minutes is reached. Wait ${waitSeconds} seconds.`,
    {
      // Replaces the headers from limitRate, which describe the caller's own limit: that one was not reached.
      headers: {
        'Retry-After': String(waitSeconds),
        'RateLimit-Limit': String(codesPerRecipient.codes),
        'RateLimit-Remaining': '0',
        'RateLimit-Reset': String(waitSeconds),
      },
    },
  );
}

function heldError(until: Date): ApiError {
  return new ApiError(
    'security_codes_held',
    `Few security codes to this prefix were verified, and no more are sent to it until ${until.toISOString()}.`,
    { errors: [{ path: '/body/to', code: 'security_codes_held', message: 'has a prefix that is held' }] },
  );
}

/**
 * Ends the code that is pending for the same recipient and purpose. Returns the ids of dispatches that this may complete.
 */
async function supersedePending(db: Sql, draft: SecurityCodeDraft): Promise<string[]> {
  const { message, purpose, createdAt } = draft;
  const { rows } = await sql<{ dispatchId: string | null }>`
    update security_codes set
      status = case when expires_at > ${createdAt}::timestamptz then 'superseded' else 'expired' end, due_at = null
    where organization_id = ${message.organizationId} and environment = ${message.environment}
      and recipient = ${message.recipient} and purpose = ${purpose} and status = 'pending'
    returning dispatch_id as "dispatchId"
  `.execute(db);
  return rows.flatMap(({ dispatchId }) => dispatchId ?? []);
}

/** Returns the sender of the stored message, or throws why it was not stored. */
function senderOf(stored: StoredDraft, order: SecurityCodeOrder, { createdAt }: SecurityCodeDraft): string {
  switch (stored.outcome) {
    case 'stored':
      return stored.sender;
    case 'sender_refused':
    case 'recipient_opted_out':
    case 'destination_not_allowed':
    case 'content_refused':
      throw refusalError(stored, order.from);
    case 'sending_cap_reached':
      throw capError(stored.reached, createdAt);
    default:
      throw new Error(`The message of a code cannot be ${stored.outcome}.`);
  }
}

async function storeCode(em: ScopedEntityManager, draft: SecurityCodeDraft): Promise<void> {
  const { id, purpose, recipient, codeHash, maxAttempts, createdAt, expiresAt, message } = draft;
  await tablesOf<typeof SecurityCode>(em)
    .insertInto('SecurityCode')
    .values({
      id,
      organization: message.organizationId,
      environment: message.environment,
      purpose,
      recipient,
      codeHash: Buffer.from(codeHash, 'hex'),
      status: 'pending',
      maxAttempts,
      message: message.id,
      createdAt,
      expiresAt,
      dueAt: expiresAt,
    })
    .execute();
}

function toRecord(draft: SecurityCodeDraft, order: SecurityCodeOrder, sender: string): SecurityCodeRecord {
  const { message } = draft;
  return {
    verificationId: draft.id,
    organizationId: message.organizationId,
    environment: message.environment,
    status: 'pending',
    channel: order.channel,
    purpose: draft.purpose,
    from: sender,
    to: draft.recipient,
    attemptsRemaining: draft.maxAttempts,
    messageId: message.id,
    metadata: message.metadata,
    createdAt: draft.createdAt.toISOString(),
    expiresAt: draft.expiresAt.toISOString(),
  };
}
