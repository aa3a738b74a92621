import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../principal.ts';
import { ApiError, type FieldError } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';
import { draftMessage } from '../messages/draft-message.ts';
import type { Sealer } from '../messages/sealer.ts';
import { maxTextLength } from '../messages/segments.ts';
import type { MessageDraft } from '../messages/store-messages.ts';
import { generateCode, hashCode, type CodeType } from './code.ts';
import { hasPlaceholder, renderCode } from './code-text.ts';

/** The request with all defaults filled in. */
export interface SecurityCodeOrder {
  to: string;
  from?: string;
  channel: 'sms';
  purpose: string;
  type: CodeType;
  length: number;
  ttlSeconds: number;
  maxAttempts: number;
  template: string;
  metadata: Record<string, unknown>;
}

/** A code that passed every check except those that need the database. The draft contains only the hash of the code. */
export interface SecurityCodeDraft {
  id: string;
  purpose: string;
  recipient: string;
  /** Hex. */
  codeHash: string;
  maxAttempts: number;
  createdAt: Date;
  expiresAt: Date;
  /** The message of the code, with the masked text, and the real text sealed. */
  message: MessageDraft;
}

/**
 * Fills in the defaults, and converts strings of digits to integers, so that bodies with the same meaning become equal.
 */
export function orderOf(input: Schemas['SecurityCodeInput']): SecurityCodeOrder {
  return {
    to: input.to,
    ...(input.from !== undefined && { from: input.from }),
    channel: 'sms',
    purpose: input.purpose ?? 'verification',
    type: input.code?.type ?? 'numeric',
    length: Number(input.code?.length ?? 6),
    ttlSeconds: Number(input.ttlSeconds ?? 600),
    maxAttempts: Number(input.maxAttempts ?? 5),
    template: input.template ?? 'Your code is {{code}}',
    metadata: input.metadata ?? {},
  };
}

/**
 * Generates a code and creates the drafts of its verification and of its message. The message may be submitted only
 * until the code expires.
 *
 * @throws ApiError invalid_request for a template that cannot be used, invalid_recipient
 */
export function draftSecurityCode(
  owner: Pick<Principal, 'organizationId' | 'environment'>,
  order: SecurityCodeOrder,
  secrets: { pepper: string; sealer: Sealer },
  createdAt: Date,
): SecurityCodeDraft {
  if (!hasPlaceholder(order.template)) {
    throw templateError('placeholder_missing', 'must contain {{code}}');
  }
  const code = generateCode(order.type, order.length);
  const { text, masked } = renderCode(order.template, code);
  if (Array.from(text).length > maxTextLength) {
    throw templateError(
      'too_long',
      `must have at most ${maxTextLength} characters after the code is filled in`,
    );
  }
  const { to, from, metadata } = order;
  // Segments and encoding are computed from the real text, because that text is sent and billed.
  const message = draftMessage(
    owner,
    { to, text, metadata, ...(from !== undefined && { from }) },
    [],
    createdAt,
  );
  const id = uuidv7();
  const expiresAt = new Date(createdAt.getTime() + order.ttlSeconds * 1000);
  return {
    id,
    purpose: order.purpose,
    recipient: message.recipient,
    codeHash: hashCode(secrets.pepper, id, code),
    maxAttempts: order.maxAttempts,
    createdAt,
    expiresAt,
    message: {
      ...message,
      text: masked,
      sealedText: secrets.sealer.seal(message.id, text),
      validUntil: expiresAt,
      ignoresSuppression: true,
    },
  };
}

function templateError(code: FieldError['code'], message: string): ApiError {
  return new ApiError('invalid_request', `The template ${message}.`, {
    errors: [{ path: '/body/template', code, message }],
  });
}
