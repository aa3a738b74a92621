import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';
import { messageStatuses } from './message-status.ts';
import { Message } from './message.entity.ts';

/** What can happen to a message, as its timeline names it. */
export const messageEventKinds = [
  'queued',
  'submission_attempted',
  'submission_answered',
  'submission_doubtful',
  'report_received',
  'expired',
  /** It is sent once more, as the message that `details` names. */
  'redriven',
  /** It is what the message that `details` names is sent as once more. */
  'redrive_of',
  'suppressed',
  'refused',
  'cancelled',
] as const;

export type MessageEventKind = (typeof messageEventKinds)[number];

/** One line of a message's timeline, in the order of `id`: every attempt, every report, every change. */
export const MessageEvent = defineEntity({
  name: 'MessageEvent',
  tableName: 'message_events',
  ...ofOrganizationId,
  properties: {
    id: p.bigint().primary().autoincrement(),
    organizationId: p.uuid(),
    message: () => p.manyToOne(Message).deleteRule('cascade'),
    at: p.datetime(3),
    kind: p.enum(messageEventKinds),
    /** The status this event gave the message; null when it changed nothing. */
    status: p.enum(messageStatuses).strictNullable(),
    /** Attempt number, gateway's answer, report's values: facts for people, never a text or a number. */
    details: p.json<Record<string, unknown>>(),
  },
  indexes: [{ name: 'message_events_timeline', properties: ['message', 'id'] }],
});

export type MessageEvent = InferEntity<typeof MessageEvent>;
