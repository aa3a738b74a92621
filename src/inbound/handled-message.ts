import type { DispatchRow } from '../dispatches/start-dispatches.ts';
import type { Reason } from './inbound-errors.ts';
import type { MatchKind } from './inbound-message.entity.ts';

/** An inbound message that is being handled. */
export interface HandledMessage {
  id: string;
  /** Set if the message was routed before. */
  organizationId: string | null;
  sender: string;
  /** The keyed hash of the sender. */
  senderHash: string;
  recipient: string;
  text: string;
  providerMessageId: string | null;
  createdAt: Date;
}

/** The result of handling a message. The fields are the columns of the row. */
export interface Handled {
  status: 'processed' | 'failed' | 'unmatched';
  organizationId: string | null;
  matched: MatchKind | null;
  keywordId: string | null;
  errorCode: Reason | null;
  /** The reply, whose dispatch must be started. */
  reply: DispatchRow | null;
}
