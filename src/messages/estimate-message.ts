import { sql } from 'kysely';
import type { Principal } from '../auth/principal.ts';
import type { Database } from '../database.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import { withinOrganizations } from '../organizations/organization-scope.ts';
import { draftMessage, senderError, type MessageInput } from './draft-message.ts';
import { normalizeRecipient } from './recipient.ts';
import { segmentMessage, type ForcingCharacter, type SegmentEncoding } from './segments.ts';
import { withPermittedSender } from './store-messages.ts';

export interface MessageEstimate {
  /** E.164; null if no message can be sent to it. */
  to: string | null;
  /** The sender that would be used; null if there is none. */
  from: string | null;
  environment: Principal['environment'];
  encoding: SegmentEncoding;
  segments: number;
  codePoints: number;
  units: number;
  unitsPerSegment: number;
  parts: { text: string; units: number; freeUnits: number }[];
  charactersForcingUnicode: (ForcingCharacter & { codePoint: string })[];
  wouldBeRefused: { code: ErrorCode; message: string } | null;
}

/**
 * Tells what POST /api/v1/messages would make of a message, by the very rules it goes by, and stores nothing.
 * What it would be refused for is part of the answer, not an error.
 */
export async function estimateMessage(
  database: Database,
  principal: Principal,
  input: MessageInput,
  webhookAllowedHosts: readonly string[],
): Promise<MessageEstimate> {
  const sender = await findSender(database, principal, input.from);
  const recipient = normalizeRecipient(input.to);
  const segmented = segmentMessage(input.text);
  return {
    to: recipient.ok ? recipient.e164 : null,
    from: sender,
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
    wouldBeRefused: findRefusal(principal, input, webhookAllowedHosts, sender),
  };
}

/** The first reason, in the order in which a message is judged. */
function findRefusal(
  principal: Principal,
  input: MessageInput,
  webhookAllowedHosts: readonly string[],
  sender: string | null,
): MessageEstimate['wouldBeRefused'] {
  try {
    draftMessage(principal, input, webhookAllowedHosts, new Date());
    if (sender === null) throw senderError(input.from);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { code: error.code, message: error.message };
  }
}

async function findSender(
  database: Database,
  { organizationId, environment }: Principal,
  from: string | undefined,
): Promise<string | null> {
  return withinOrganizations(database, [organizationId], async (db) => {
    const { rows } = await sql<{ sender: string }>`
      select coalesce(sender_ids.value, draft.sender) as sender
      from (
        select ${organizationId}::uuid as "organizationId", ${environment}::text as environment,
          ${from ?? null}::text as sender
      ) draft
      ${withPermittedSender}
    `.execute(db);
    return rows[0]?.sender ?? null;
  });
}
