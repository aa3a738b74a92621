import { sql } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenants } from '../organizations/organization-scope.ts';
import type { HashNumber } from '../privacy/number-hash.ts';
import { findPermittedSender } from '../sender-ids/permitted-sender.ts';
import { normalizeSender } from '../sender-ids/sender-value.ts';
import { judgeMessages } from '../sending-controls/count-within-caps.ts';
import type { Cap } from '../sending-controls/sending-caps.ts';
import { capError, draftMessage, refusalError, type DraftRefusal } from './draft-message.ts';
import { normalizeRecipient } from './recipient.ts';
import { segmentMessage } from './segments.ts';
import { contentReason, draftRefusal, toRefused, type RefusedDraft } from './store-messages.ts';

type MessageEstimate = Schemas['MessageEstimate'];

/**
 * Returns what POST /api/v1/messages would do with a message, by the same rules, and stores nothing. A refusal is part
 * of the result, not an error.
 */
export async function estimateMessage(
  database: Database,
  principal: Principal,
  input: Schemas['MessageInput'],
  webhookAllowedHosts: readonly string[],
  hashNumber: HashNumber,
  now: Date,
): Promise<MessageEstimate> {
  const recipient = normalizeRecipient(input.to);
  const to = recipient.ok ? recipient.e164 : null;
  const hash = to === null ? null : await hashNumber(to);
  const found = await findSender(database, principal, input.from, { to, hash, text: input.text, at: now });
  const segmented = segmentMessage(input.text);
  return {
    to,
    from: found?.sender ?? null,
    environment: principal.environment,
    encoding: segmented.encoding,
    segments: segmented.segments,
    codePoints: Array.from(input.text).length,
    units: segmented.unitsUsed,
    unitsPerSegment: segmented.unitsPerSegment,
    parts: segmented.parts.map(({ text, unitsUsed }) => ({
      text,
      units: unitsUsed,
      freeUnits: segmented.unitsPerSegment - unitsUsed,
    })),
    charactersForcingUnicode: segmented.charactersForcingUnicode.map(({ character, positions }) => ({
      character,
      codePoint: `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
      positions,
    })),
    wouldBeRefused: findRefusal(principal, input, webhookAllowedHosts, found, now),
  };
}

/** Returns the first reason for a refusal, in the order in which a message is checked. */
function findRefusal(
  principal: Principal,
  input: Schemas['MessageInput'],
  webhookAllowedHosts: readonly string[],
  found: FoundSender | null,
  now: Date,
): MessageEstimate['wouldBeRefused'] {
  try {
    draftMessage(principal, input, webhookAllowedHosts, now);
    const refusal: DraftRefusal | null = found === null ? { outcome: 'sender_refused' } : found.refusal;
    if (refusal !== null) throw refusalError(refusal, input.from);
    if (found?.reached) throw capError(found.reached, now);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, message: error.message };
  }
}

/** The sender that the message would have, and why its recipient may get no message. */
interface FoundSender {
  sender: string;
  refusal: DraftRefusal | null;
  /** The cap that leaves no room for the message at the moment. */
  reached: Cap | null;
}

async function findSender(
  database: Database,
  principal: Principal,
  from: string | undefined,
  { to, hash, text, at }: { to: string | null; hash: string | null; text: string; at: Date },
): Promise<FoundSender | null> {
  const { organizationId, environment } = principal;
  return asTenants(database, [organizationId], async (db) => {
    const wanted = from === undefined ? null : normalizeSender(from);
    const sender = await findPermittedSender(db, principal, wanted);
    if (sender === null) return null;
    const { rows } = await sql<RefusedDraft>`
      select ${draftRefusal('report')} as refusal, ${contentReason} as reason
      from (
        select ${organizationId}::uuid as "organizationId", ${environment}::text as environment, ${to}::text as recipient,
          ${hash}::text as "recipientHash", ${text}::text as text, false as "ignoresSuppression",
          ${at}::timestamptz as "createdAt"
      ) draft
    `.execute(db);
    const judged = rows[0]!;
    if (judged.refusal !== 'capped') return { sender, refusal: toRefused(judged), reached: null };
    if (to === null || hash === null) return { sender, refusal: null, reached: null };
    const [verdict] = await judgeMessages(db, [{ organizationId, recipient: to, recipientHash: hash, at }]);
    return { sender, refusal: null, reached: verdict!.isWithin ? null : verdict!.reached };
  });
}
