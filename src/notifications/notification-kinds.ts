/**
 * Who of an organization is told of what (contract section 8). The managers are its owners and admins; the maker is
 * who asked for the thing, if that was a person who is a member still, and not a key.
 */
export const audienceOf = {
  /** The sender is the organization's, and any of its managers may have waited for it. */
  sender_id_reviewed: 'maker_and_managers',
  batch_completed: 'maker_or_else_managers',
  batch_failed: 'maker_or_else_managers',
  /** Of a schedule it is not kept who made it. */
  schedule_missed: 'managers',
  webhook_dead: 'managers',
  inbound_failed: 'managers',
  /** A person, who is no member yet: what he is told belongs to no organization. */
  invitation_received: 'invitee',
} as const satisfies Record<string, Audience>;

export type Audience = 'maker_and_managers' | 'maker_or_else_managers' | 'managers' | 'invitee';

export type NotificationKind = keyof typeof audienceOf;

export const notificationKinds = Object.keys(audienceOf) as NotificationKind[];

/** Something that people are to be told of. */
export interface NotificationEvent {
  kind: NotificationKind;
  /** Null where it is told to a person as such. */
  organizationId: string | null;
  /** Who made the thing, or is invited; null where that is no person. */
  personId: string | null;
  /** What it is about, by its id. */
  subjectId: string;
  /** Names the event among all of its kind on the platform: of each, a person is told once. */
  occurrence: string;
  title: string;
  body: string;
  /** Ids, statuses and counts for programs: no number, text, code or secret. */
  data: Record<string, string | number | boolean | null>;
}
