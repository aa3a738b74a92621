import type { Schemas } from '../http/contract/contract-types.ts';

/** The Message of the specification (section 2), as every endpoint returns it. */
export type MessageRecord = Schemas['Message'];

/** The fields that a record is created from. An entity has them, and so does a message that is about to be stored. */
export interface MessageFacts extends Omit<
  MessageRecord,
  'from' | 'to' | 'createdAt' | 'acceptedAt' | 'sentAt' | 'deliveredAt' | 'failedAt'
> {
  sender: string;
  recipient: string;
  createdAt: Date;
  acceptedAt: Date | null;
  sentAt: Date | null;
  deliveredAt: Date | null;
  failedAt: Date | null;
}

export function toMessageRecord(message: MessageFacts): MessageRecord {
  return {
    id: message.id,
    organizationId: message.organizationId,
    from: message.sender,
    to: message.recipient,
    text: message.text,
    status: message.status,
    segments: message.segments,
    providerMessageId: message.providerMessageId,
    errorCode: message.errorCode,
    errorMessage: message.errorMessage,
    metadata: message.metadata,
    environment: message.environment,
    createdAt: message.createdAt.toISOString(),
    acceptedAt: message.acceptedAt?.toISOString() ?? null,
    sentAt: message.sentAt?.toISOString() ?? null,
    deliveredAt: message.deliveredAt?.toISOString() ?? null,
    failedAt: message.failedAt?.toISOString() ?? null,
  };
}
