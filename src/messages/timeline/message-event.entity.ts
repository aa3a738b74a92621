import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Schemas } from '../../http/contract/contract-types.ts';
import { ofOrganizationId } from '../../organizations/organization-scope.ts';
import { messageStatuses } from '../message-status.ts';
import { Message } from '../message.entity.ts';

/** The kinds of timeline entries. */
export const messageEventKinds = [
  'queued',
  'submission_attempted',
  'submission_answered',
  'submission_doubtful',
  'report_received',
  'expired',
  /** The message was sent again, as the message in `details`. */
  'redriven',
  /** The message resends the message in `details`. */
  'redrive_of',
  'suppressed',
  'refused',
  'cancelled',
] as const satisfies Schemas['MessageTimeline']['data'][number]['kind'][];

export type MessageEventKind = (typeof messageEventKinds)[number];

/** One entry of a message's timeline, ordered by `id`: every attempt, every report, every change. */
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
    /** The status that the message reached by this event; null if the status did not change. */
    status: p.enum(messageStatuses).strictNullable(),
    /** Attempt number, gateway response, values of the report: facts for people, never a text or a phone number. */
    details: p.json<Record<string, unknown>>(),
  },
  indexes: [{ name: 'message_events_timeline', properties: ['message', 'id'] }],
});

export type MessageEvent = InferEntity<typeof MessageEvent>;
