import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../principal.ts';
import { ApiError } from '../errors.ts';
import { draftMessage } from '../messages/draft-message.ts';
import type { Sealer } from '../messages/sealer.ts';
import type { MessageDraft } from '../messages/store-messages.ts';
import { generateCode, hashCode, type CodeType } from './code.ts';
import { hasPlaceholder, renderCode } from './code-text.ts';

/** The body of POST /api/v1/security-codes/send, already held against openapi.yaml. */
export interface SecurityCodeInput {
  to: string;
  channel?: 'sms';
  purpose?: string;
  from?: string;
  /** Its integers, and those below, may come as strings of digits. */
  code?: { type?: CodeType; length?: number | string };
  ttlSeconds?: number | string;
  maxAttempts?: number | string;
  template?: string;
  metadata?: Record<string, unknown>;
  organizationId?: string;
}

/** What is asked for once the defaults are filled in (contract section 5). */
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

/** A code that passed every rule but those that only the database can judge. It knows the code by its hash alone. */
export interface SecurityCodeDraft {
  id: string;
  purpose: string;
  recipient: string;
  /** Hex. */
  codeHash: string;
  maxAttempts: number;
  createdAt: Date;
  expiresAt: Date;
  /** Its message: stored with the masked text, the true one sealed beside it. */
  message: MessageDraft;
}

/** Code points that the rendered text may have (specification section 8). */
const maxTextLength = 1600;

/** Fills in the defaults, and makes integers of strings of digits: bodies that mean the same become equal. */
export function orderOf(input: SecurityCodeInput): SecurityCodeOrder {
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
 * Draws a code and makes the drafts of its verification and of its message, which may be submitted until the
 * code expires and not later.
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
    throw templateError('placeholder_missing', 'must hold {{code}}');
  }
  const code = generateCode(order.type, order.length);
  const { text, masked } = renderCode(order.template, code);
  if (Array.from(text).length > maxTextLength) {
    throw templateError('too_long', `must have at most ${maxTextLength} characters with the code in it`);
  }
  const { to, from, metadata } = order;
  // Segments and encoding are those of the true text: it is what is sent and billed.
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

function templateError(code: string, message: string): ApiError {
  return new ApiError('invalid_request', `The template ${message}.`, {
    errors: [{ path: '/body/template', code, message }],
  });
}
