import { sql } from 'kysely';
import type { Principal } from '../principal.ts';
import type { Database } from '../database.ts';
import { ApiError } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { asTenants } from '../organizations/organization-scope.ts';
import { isSuppressed } from '../suppressions/is-suppressed.ts';
import { findPermittedSender } from '../sender-ids/permitted-sender.ts';
import { normalizeSender } from '../sender-ids/sender-value.ts';
import { draftMessage, optedOutError, senderError } from './draft-message.ts';
import { normalizeRecipient } from './recipient.ts';
import { segmentMessage } from './segments.ts';

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
): Promise<MessageEstimate> {
  const recipient = normalizeRecipient(input.to);
  const to = recipient.ok ? recipient.e164 : null;
  const found = await findSender(database, principal, input.from, to);
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
    wouldBeRefused: findRefusal(principal, input, webhookAllowedHosts, found),
  };
}

/** Returns the first reason for a refusal, in the order in which a message is checked. */
function findRefusal(
  principal: Principal,
  input: Schemas['MessageInput'],
  webhookAllowedHosts: readonly string[],
  found: FoundSender | null,
): MessageEstimate['wouldBeRefused'] {
  try {
    draftMessage(principal, input, webhookAllowedHosts, new Date());
    if (found === null) throw senderError(input.from);
    if (found.optedOut) throw optedOutError();
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, message: error.message };
  }
}

/** The sender that the message would have, and whether its recipient has opted out. */
interface FoundSender {
  sender: string;
  optedOut: boolean;
}

async function findSender(
  database: Database,
  principal: Principal,
  from: string | undefined,
  to: string | null,
): Promise<FoundSender | null> {
  const { organizationId } = principal;
  return asTenants(database, [organizationId], async (db) => {
    const wanted = from === undefined ? null : normalizeSender(from);
    const sender = await findPermittedSender(db, principal, wanted);
    if (sender === null) return null;
    const { rows } = await sql<{ optedOut: boolean }>`
      select ${isSuppressed('draft."organizationId"', 'draft.recipient')} as "optedOut"
      from (select ${organizationId}::uuid as "organizationId", ${to}::text as recipient) draft
    `.execute(db);
    return { sender, optedOut: rows[0]!.optedOut };
  });
}
