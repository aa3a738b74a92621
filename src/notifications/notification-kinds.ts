import type { Schemas } from '../http/contract/contract-types.ts';

/**
 * Who is notified of each kind of event. The managers are the owners and admins of the
 * organization. The maker is the person who created or requested the thing, if they are still a member. A key is never
 * the maker.
 */
export const audienceOf = {
  /** The sender ID belongs to the organization, and any of its managers may be waiting for the review. */
  sender_id_reviewed: 'maker_and_managers',
  batch_completed: 'maker_or_else_managers',
  batch_failed: 'maker_or_else_managers',
  /** The creator of a schedule is not stored. */
  schedule_missed: 'managers',
  webhook_dead: 'managers',
  inbound_failed: 'managers',
  security_codes_unverified: 'managers',
  /** The invitee is not a member yet, so the notification belongs to no organization. */
  invitation_received: 'invitee',
} as const satisfies Record<Schemas['Notification']['kind'], Audience>;

export type Audience = 'maker_and_managers' | 'maker_or_else_managers' | 'managers' | 'invitee';

export type NotificationKind = keyof typeof audienceOf;

export const notificationKinds = Object.keys(audienceOf) as NotificationKind[];

/** An event of which people are notified. */
export interface NotificationEvent {
  kind: NotificationKind;
  /** Null if the notification is for a person, independent of an organization. */
  organizationId: string | null;
  /** The person who created the thing or is invited; null if there is no such person. */
  personId: string | null;
  /** The id of the thing that the event is about. */
  subjectId: string;
  /** Identifies the event among all events of its kind on the platform. A person is notified of each once. */
  occurrence: string;
  title: string;
  body: string;
  /** Ids, statuses and counts for programs: no phone numbers, texts, codes or secrets. */
  data: Record<string, string | number | boolean | null>;
}
