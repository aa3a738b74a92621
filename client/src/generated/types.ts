// Written by npm run generate from openapi.yaml; changes made here are lost.
import type { Upload } from '../encode-upload.ts';

/** The codes of SmsApiError that the service answers with. */
export type ErrorCode =
  | 'invalid_request'
  | 'malformed_request'
  | 'request_timeout'
  | 'expectation_failed'
  | 'malformed_body'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'not_found'
  | 'method_not_allowed'
  | 'invalid_state'
  | 'already_exists'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'unauthenticated'
  | 'api_key_revoked'
  | 'api_key_expired'
  | 'address_not_allowed'
  | 'permission_denied'
  | 'organization_required'
  | 'banned'
  | 'session_not_fresh'
  | 'invalid_origin'
  | 'invalid_callback_url'
  | 'not_while_impersonating'
  | 'you_cannot_impersonate_admins'
  | 'invalid_email_or_password'
  | 'invalid_password'
  | 'two_factor_required'
  | 'invalid_two_factor_code'
  | 'invalid_passkey'
  | 'invalid_token'
  | 'email_mismatch'
  | 'email_already_verified'
  | 'email_not_verified'
  | 'sign_up_disabled'
  | 'failed_to_unlink_last_account'
  | 'provider_not_found'
  | 'last_administrator'
  | 'you_are_not_the_recipient_of_the_invitation'
  | 'invitation_accepted'
  | 'invitation_rejected'
  | 'invitation_canceled'
  | 'invitation_expired'
  | 'invitation_limit_reached'
  | 'organization_limit_reached'
  | 'organization_membership_limit_reached'
  | 'last_owner'
  | 'invalid_recipient'
  | 'sender_not_approved'
  | 'sender_required'
  | 'recipient_opted_out'
  | 'destination_not_allowed'
  | 'content_refused'
  | 'security_codes_held'
  | 'sending_cap_reached'
  | 'webhook_url_not_allowed'
  | 'keyword_reserved'
  | 'contact_list_empty'
  | 'unknown_contacts'
  | 'rejects_expired'
  | 'internal_error'
  | 'unavailable'
  | 'provider_unavailable'
  | 'mail_not_configured';

export interface Problem {
  /** The page that explains the code. */
  type: string;
  title: string;
  status: number;
  /** What happened in this request and what to do. */
  detail: string;
  /** Stable. Intended for programs. */
  code: string;
  requestId: string;
  errors?: {
    path: string;
    code: string;
    message: string;
  }[];
}

export interface CursorPagination {
  limit: number;
  /** Pass it as `cursor` to get the next page. It is null on the last page. */
  nextCursor: string | null;
}

export interface PagePagination {
  page: number;
  pageSize: number;
  /** The number of items that match the filters. */
  total: number;
  totalPages: number;
}

/** An http or https URL, because browsers follow it. */
export type HttpUrl = string;

/** An http or https URL; null, or an empty text, takes it off. */
export type NullableHttpUrl = string | null;

/** Atoms and a domain (RFC 5322, 3.4.1), in ASCII without quotes; an international domain as `xn--…` (RFC 5890). */
export type EmailAddress = string;

/** One line that does not consist of spaces only, without control characters and without characters that change the direction of text. */
export type Name = string;

/** A valid date and time in the format of RFC 3339 (section 5.6), without leap seconds. */
export type Timestamp = string;

export type NullableTimestamp = string | null;

/**
 * Any JSON values with any names, up to 16 KiB per contact. Merge fields show texts, numbers and booleans. In
 * forms all values are text, unless the whole field is JSON.
 */
export type CustomFields = Record<string, unknown>;

export type AuditAction =
  | 'api_key.created'
  | 'api_key.updated'
  | 'api_key.revoked'
  | 'member.role_changed'
  | 'member.removed'
  | 'invitation.created'
  | 'invitation.accepted'
  | 'invitation.rejected'
  | 'invitation.cancelled'
  | 'user.created'
  | 'user.impersonated'
  | 'user.impersonation_ended'
  | 'user.role_changed'
  | 'user.banned'
  | 'user.unbanned'
  | 'user.two_factor_reset'
  | 'webhook_delivery.redriven'
  | 'messages.redriven'
  | 'webhook_deliveries.redriven'
  | 'redrive.cancelled'
  | 'sender_id.approved'
  | 'sender_id.rejected'
  | 'sender_id.made_default'
  | 'contacts.imported'
  | 'contacts.exported'
  | 'bulk_messages.exported'
  | 'messages.exported'
  | 'inbound_message.redriven'
  | 'sending_controls.changed'
  | 'security_code_watch.changed'
  | 'security_code_alarm.raised'
  | 'security_code_alarm.released'
  | 'content_rule.created'
  | 'content_rule.updated'
  | 'content_rule.deleted'
  | 'retention.changed'
  | 'erasure.requested'
  | 'person.exported';

export interface AuditEvent {
  id: string;
  organizationId: string | null;
  at: Timestamp;
  actor: {
    kind: 'api_key' | 'user' | 'system';
    id: string | null;
    /** The current name of the user or key; null if it does not exist any more. */
    name: string | null;
  };
  action: AuditAction;
  /** The id of the changed resource: of `member.*` the member, of `user.*` the user. */
  subjectId: string;
  /** The change. `member.*` has `userId` and `role`: the new role, or the last one of a removed member. */
  details: Record<string, unknown>;
}

export interface Readiness {
  status: 'ok' | 'unavailable';
  /** The state of each part that the API uses. */
  parts: Record<string, 'up' | 'down'>;
}

export interface MessageInput {
  to: string;
  text: string;
  /** An approved sender. A number may be written in any notation that `to` accepts. */
  from?: string;
  /**
   * Correlation data, returned unchanged, nested at most 20 levels deep. Integers beyond 2^53 − 1 are refused,
   * because they would be rounded. Send them as strings. Other numbers are returned as double-precision numbers,
   * so digits beyond the 17th are rounded.
   */
  metadata?: Record<string, unknown>;
  webhook?: WebhookInput;
  /**
   * The environment of the message. For a session, the default is `live`. A key sends messages of its own
   * environment only; with the other one, the response is 403 `permission_denied`.
   */
  environment?: 'live' | 'test';
  organizationId?: string;
}

export interface WebhookInput {
  url: string;
  secret?: string;
}

export interface Message {
  id: string;
  organizationId: string;
  from: string;
  /** E.164. */
  to: string;
  text: string;
  status: MessageStatus;
  /** Billed segments. */
  segments: number;
  providerMessageId: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  metadata: Record<string, unknown>;
  environment: 'live' | 'test';
  createdAt: Timestamp;
  acceptedAt: NullableTimestamp;
  sentAt: NullableTimestamp;
  deliveredAt: NullableTimestamp;
  failedAt: NullableTimestamp;
}

export type MessageStatus = 'queued' | 'accepted' | 'sent' | 'delivered' | 'failed' | 'cancelled';

export interface MessageEstimate {
  /** E.164; null if the recipient is invalid. */
  to: string | null;
  /** The sender that would be used; null if no sender is permitted. */
  from: string | null;
  environment: 'live' | 'test';
  encoding: 'gsm7' | 'ucs2';
  /** Billed segments. */
  segments: number;
  /** Length of the text in Unicode code points, the unit of all length limits. */
  codePoints: number;
  /** Septets in gsm7, where each of `^{}\[~]|€` takes two; UTF-16 code units in ucs2. */
  units: number;
  /** 160 or 70 for a single segment; 153 or 67 if there are several. */
  unitsPerSegment: number;
  /** The content of each segment, in order. Joined, they are the text. */
  parts: {
    text: string;
    units: number;
    freeUnits: number;
  }[];
  /** The characters that GSM-7 lacks, each listed once, in order of appearance. Empty for gsm7. */
  charactersForcingUnicode: {
    character: string;
    codePoint: string;
    /** The positions of the character, in code points from the start of the text; the first is 0. */
    positions: number[];
  }[];
  wouldBeRefused: MessageRefusal;
}

/** The error that `POST /api/v1/messages` would return for this body; null if it would accept it. */
export type MessageRefusal = {
  /** An error code; `/errors` explains each. */
  code: string;
  message: string;
} | null;

export interface MessageTimeline {
  messageId: string;
  status: MessageStatus;
  workflowId: string | null;
  data: (
    | TimelineQueued
    | TimelineSubmissionAttempted
    | TimelineSubmissionAnswered
    | TimelineSubmissionDoubtful
    | TimelineReportReceived
    | TimelineExpired
    | TimelineSuppressed
    | TimelineRedrive
    | TimelineRefused
    | TimelineCancelled
    | TimelineWebhookCreated
    | TimelineWebhookAttempted
  )[];
  pagination: CursorPagination;
}

/** The status that the message reached by this event; null if the status did not change. */
export type ReachedStatus = 'queued' | 'accepted' | 'sent' | 'delivered' | 'failed' | 'cancelled' | null;

/** The message was stored. */
export interface TimelineQueued {
  at: Timestamp;
  kind: 'queued';
  status: ReachedStatus;
}

/** A submission to the gateway was started. */
export interface TimelineSubmissionAttempted {
  at: Timestamp;
  kind: 'submission_attempted';
  status: ReachedStatus;
  attempt: number;
  /** The outcome of the previous attempt is unknown. */
  possibleDuplicate: boolean;
}

/** The gateway responded, or it is certain that it was not reached. */
export interface TimelineSubmissionAnswered {
  at: Timestamp;
  kind: 'submission_answered';
  status: ReachedStatus;
  attempt: number;
  outcome: 'accepted' | 'refused' | 'unavailable';
  errorCode: string | null;
  /** A stable code. */
  reason: string | null;
  httpStatus: number | null;
}

/** The submission is in doubt: no response shows whether the gateway accepted the message. A delivery report may show it. With the reason `restored_from_backup`, the operator restored an earlier state of the service, in which the message was not submitted yet. */
export interface TimelineSubmissionDoubtful {
  at: Timestamp;
  kind: 'submission_doubtful';
  status: ReachedStatus;
  attempt: number;
  /** A stable code. */
  reason: string | null;
  httpStatus: number | null;
}

/** A delivery report was received. `status` is null if the report changed nothing. */
export interface TimelineReportReceived {
  at: Timestamp;
  kind: 'report_received';
  status: ReachedStatus;
  report: 'delivered' | 'undelivered' | 'buffered' | 'smsc_accepted' | 'smsc_rejected' | 'unknown';
  /** The value that the gateway sent. */
  value: string;
  smscId: string | null;
  providerMessageId: string | null;
}

export interface TimelineRedrive {
  at: Timestamp;
  /** `redriven`: an operator resent this failed message as the message `messageId`. `redrive_of`: this message resends the failed message `messageId`. */
  kind: 'redriven' | 'redrive_of';
  status: ReachedStatus;
  messageId: string;
  redriveId: string;
}

/** The time to submit the message, or to wait for its report, ended. */
export interface TimelineExpired {
  at: Timestamp;
  kind: 'expired';
  status: ReachedStatus;
  errorCode: 'validity_expired' | 'dlr_timeout';
}

/** The message was not submitted, because the recipient had opted out by the time it was due. */
export interface TimelineSuppressed {
  at: Timestamp;
  kind: 'suppressed';
  status: ReachedStatus;
  errorCode: 'recipient_opted_out';
}

/**
 * The message of a bulk batch could not be sent, and was stored as failed; or, with `destination_not_allowed`, the
 * organization may not send to this number any more; or, with `content_refused`, a rule of the service refuses the
 * text.
 */
export interface TimelineRefused {
  at: Timestamp;
  kind: 'refused';
  status: ReachedStatus;
  errorCode:
    | 'recipient_opted_out'
    | 'duplicate_recipient'
    | 'invalid_recipient'
    | 'text_empty'
    | 'text_too_long'
    | 'destination_not_allowed'
    | 'content_refused';
}

/** The bulk batch was cancelled before the message was submitted. */
export interface TimelineCancelled {
  at: Timestamp;
  kind: 'cancelled';
  status: ReachedStatus;
}

/** An event for the webhook was stored. */
export interface TimelineWebhookCreated {
  at: Timestamp;
  kind: 'webhook_created';
  status: ReachedStatus;
  /** X-Service-Delivery of the requests. */
  deliveryId: string;
  event: string;
  url: string;
  /** The workflow that processes this event; null until one is started. */
  workflowId: string | null;
  /** The current status. */
  deliveryStatus: 'pending' | 'delivered' | 'retrying' | 'dead';
  nextAttemptAt: NullableTimestamp;
}

/** A request was sent to the webhook. Without a duration, it is in progress or was lost. */
export interface TimelineWebhookAttempted {
  at: Timestamp;
  kind: 'webhook_attempted';
  status: ReachedStatus;
  /** X-Service-Delivery of the requests. */
  deliveryId: string;
  event: string;
  url: string;
  /** The workflow that processes this event; null until one is started. */
  workflowId: string | null;
  attempt: number;
  durationMs: number | null;
  responseStatus: number | null;
  /** Why there was no response, as a stable code. */
  error: string | null;
}

export interface MessageScheduleInput {
  to: string;
  text: string;
  /**
   * An approved sender. A number may be written in any notation that `to` accepts. Without it, each occurrence
   * uses the organization's default sender at the time when it becomes due.
   */
  from?: string;
  scheduleType: 'once' | 'recurring';
  /** The first occurrence. It may be at most one minute in the past. */
  startsAt: string;
  /** No occurrence is later than this time. It must be after `startsAt`. It has no effect with `once`. */
  endsAt?: string;
  /**
   * An IANA name, for example `Europe/Berlin`. The default is the organization's time zone: `timezone` of its
   * metadata, or Africa/Addis_Ababa if the metadata has none.
   */
  timezone?: string;
  recurrence?: {
    unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
    /** 1 to 1000, as an integer or a numeric string. */
    interval: number | string;
  };
  organizationId?: string;
}

export interface MessageScheduleAction {
  action: 'pause' | 'resume' | 'cancel';
  organizationId?: string;
}

export interface MessageSchedule {
  id: string;
  organizationId: string;
  environment: 'live' | 'test';
  /** E.164. */
  to: string;
  text: string;
  /** The sender; null means the default sender at the time of each occurrence. */
  from: string | null;
  scheduleType: 'once' | 'recurring';
  startsAt: Timestamp;
  endsAt: NullableTimestamp;
  timezone: string;
  recurrence: {
    unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
    interval: number;
  } | null;
  status: 'active' | 'paused' | 'completed' | 'cancelled';
  /** The next occurrence; null unless the schedule is active. */
  nextRunAt: string | null;
  /** The next five occurrences. The first is `nextRunAt`. */
  upcomingRuns: Timestamp[];
  /** The last occurrence for which a message was created or could not be created. */
  lastRunAt: string | null;
  /** The last five entries of the run record, newest first. */
  lastRuns: MessageScheduleRun[];
  /** The outcomes of the occurrences so far. */
  counts: {
    /** A message was created. */
    created: number;
    /** No message could be created, for example because the sender is no longer approved. */
    failed: number;
    /** The service was down and recovered more than an hour later. */
    missed: number;
    /** The occurrence fell into a pause that has ended. */
    skipped: number;
  };
  createdAt: Timestamp;
}

export interface MessageScheduleRun {
  dueAt: Timestamp;
  outcome: 'created' | 'failed' | 'missed';
  /** The number of occurrences in the entry. Consecutive missed occurrences share one entry. */
  occurrences: number;
  /** The last of these occurrences. */
  lastDueAt: Timestamp;
  messageId: string | null;
  messageStatus: 'queued' | 'accepted' | 'sent' | 'delivered' | 'failed' | 'cancelled' | null;
  /** Why no message could be created. */
  errorCode: string | null;
}

export interface SecurityCodeInput {
  to: string;
  channel?: 'sms';
  /** The purpose of the code. Codes for different purposes do not supersede each other. */
  purpose?: string;
  /** An approved sender. A number may be written in any notation that `to` accepts. */
  from?: string;
  code?: {
    type?: 'numeric' | 'alphanumeric';
    length?: number | string;
  };
  /** The lifetime of the code in seconds. */
  ttlSeconds?: number | string;
  /** The number of wrong guesses after which the code is no longer accepted. */
  maxAttempts?: number | string;
  /**
   * The text of the message, at most 1,600 characters after the code is filled in. It must contain `{{code}}`,
   * with or without spaces inside the braces.
   */
  template?: string;
  /** Correlation data, returned unchanged. The message has it too. */
  metadata?: Record<string, unknown>;
  organizationId?: string;
}

export interface SecurityCode {
  verificationId: string;
  organizationId: string;
  environment: 'live' | 'test';
  status: 'pending';
  channel: 'sms';
  purpose: string;
  from: string;
  /** E.164. */
  to: string;
  attemptsRemaining: number;
  messageId: string;
  metadata: Record<string, unknown>;
  createdAt: Timestamp;
  expiresAt: Timestamp;
}

export interface VerificationInput {
  verificationId: string;
  code: string;
  organizationId?: string;
}

export interface VerificationResult {
  verificationId: string;
  /** True only once, for the right code before it expires. */
  valid: boolean;
  /**
   * `already_used`: the code was verified before. `superseded`: a newer code for the same recipient and purpose
   * replaced it.
   */
  status: 'verified' | 'incorrect' | 'expired' | 'max_attempts_reached' | 'already_used' | 'superseded';
  /** The number of wrong guesses that the code still accepts; 0 once it can no longer be verified. */
  attemptsRemaining: number;
}

export interface ContactCount {
  count: number;
}

export interface ContactVerificationRequest {
  organizationId: string;
}

export interface ContactVerification {
  contactId: string;
  verificationId: string;
  /** The number that the code was sent to. */
  to: string;
  status: 'pending';
  attemptsRemaining: number;
  expiresAt: Timestamp;
  messageId: string;
}

export interface ContactConfirmationInput {
  organizationId: string;
  code: string;
}

export interface ContactConfirmation {
  verificationId: string;
  valid: boolean;
  status: 'verified' | 'incorrect' | 'expired' | 'max_attempts_reached' | 'already_used' | 'superseded';
  attemptsRemaining: number;
  contact: Contact;
}

export interface ContactInput {
  organizationId: string;
  /** In any spelling that `to` of a message may have; stored as E.164, unique in an organization. */
  phoneNumber: string;
  firstName?: string | null;
  lastName?: string | null;
  /** Stored as given. */
  email?: string | null;
  company?: string | null;
  /** Tags are trimmed; empty and repeated tags are dropped. */
  tags?: string[] | null;
  customFields?: CustomFields;
}

export interface Contact {
  id: string;
  organizationId: string;
  /** E.164. */
  phoneNumber: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  company: string | null;
  tags: string[];
  customFields: CustomFields;
  /** When the contact proved to own the number; null again once the number changes. */
  phoneVerifiedAt: string | null;
  createdAt: string;
  updatedAt: string;
}

export interface ContactImportInput {
  organizationId: string;
  /** The CSV file; its text in encodings other than multipart. */
  file: Upload;
}

export interface ContactImport {
  id: string;
  organizationId: string;
  status: 'processing' | 'completed' | 'failed';
  /**
   * Why the import failed; null unless it failed. `processing_failed`: the service cannot process the file
   * because of a permanent error. Contacts that were imported before stay.
   */
  failure: {
    code: 'processing_failed';
    message: string;
  } | null;
  /** New contacts. */
  imported: number;
  /** Existing contacts, which now have the values of their rows. */
  updated: number;
  /** Rows with the number of an earlier row. */
  skipped: number;
  /** Rows that are not a valid contact. */
  rejected: number;
  /**
   * Why rows were rejected or skipped: the first 100 errors. The file of rejects has all rejected rows. Empty
   * once that file has expired.
   */
  errors: ContactImportError[];
  createdAt: string;
  completedAt: NullableTimestamp;
  /**
   * Until when rejected and skipped rows are kept: 30 days from the end of the import. Then they are deleted.
   * Null while the import is running, and if every row was imported.
   */
  rejectsExpireAt: string | null;
}

export interface ContactImportError {
  /** The line of the file on which the row begins, counted from 1. */
  line: number;
  /** The column as the header names it; null when the error is not about one column. */
  column: string | null;
  /**
   * `duplicate_row`; `required`, `scientific_notation`, `invalid_recipient`; `too_long`, `too_many`,
   * `too_short`, `wrong_format`, `wrong_type`; `invalid_encoding`, `invalid_characters`; `too_many_cells`,
   * `unnamed_column`, `unclosed_quote`, `unreadable`.
   */
  code: string;
  message: string;
}

export interface PhonebookMembersAdded {
  organizationId?: string;
  contactIds: string[];
}

export interface PhonebookInput {
  organizationId?: string;
  name: string;
  description?: string;
}

export interface PhonebookChange {
  organizationId: string;
  name: string;
  description?: string | null;
}

export interface Phonebook {
  id: string;
  organizationId: string;
  name: string;
  description: string | null;
  memberCount: number;
  createdAt: string;
  updatedAt: string;
}

export interface PhonebookMembersInput {
  organizationId: string;
  contactIds: string[];
}

export interface PhonebookMembersReplaced {
  memberCount: number;
  added: number;
  removed: number;
}

/**
 * `pending`: about to start. `scheduled`: waits for `scheduledAt`. `failed`: could not be sent; `failure` has
 * the reason.
 */
export type BulkSmsStatus =
  'pending' | 'scheduled' | 'processing' | 'paused' | 'completed' | 'cancelled' | 'failed';

export interface BulkSmsInput {
  /** An active campaign. */
  campaignId: string;
  /** A phonebook. */
  contactListId: string;
  text: string;
  /** When to start, at most one minute in the past. If it is absent, null or empty, the batch starts at once. */
  scheduledAt?: string;
  organizationId?: string;
}

export interface BulkSmsEstimateInput {
  campaignId?: string;
  contactListId: string;
  text: string;
  organizationId?: string;
}

/** Recipients who get no text, by reason. */
export interface BulkSmsRefused {
  /** On the suppression list. */
  optedOut: number;
  /** An earlier recipient has the same number. */
  duplicates: number;
  /** No message can be sent to the number. */
  invalid: number;
}

export interface BulkSmsEstimate {
  /** Members of the phonebook. */
  recipients: number;
  refused: BulkSmsRefused;
  /** Recipients whose rendered text is empty or too long. */
  unsendableTexts: number;
  /** Messages that would be submitted. */
  messages: number;
  /** Billed segments of all these messages. */
  segments: number;
  /** The number of these messages in each encoding. */
  encodings: {
    gsm7: number;
    ucs2: number;
  };
  /** Segments of the longest message. */
  longestSegments: number;
}

export interface BulkSmsAction {
  organizationId?: string;
}

export interface BulkSmsRate {
  /** At most this many messages per second; with null, only the rates of platform and sender apply. */
  ratePerSecond: number | null;
  organizationId?: string;
}

export interface BulkSms {
  id: string;
  organizationId: string;
  environment: 'live' | 'test';
  campaignId: string;
  contactListId: string;
  text: string;
  from: string;
  status: BulkSmsStatus;
  scheduledAt: NullableTimestamp;
  ratePerSecond: number | null;
  /**
   * Recipients by the status of their messages; `total` is always the sum of the other fields. All fields are
   * 0 until sending starts (`startedAt`), because the recipients are unknown before. This includes a batch
   * that was cancelled or failed before sending started. `POST /api/v1/bulk-sms/estimate` returns who the
   * batch would reach now.
   */
  ledger: {
    total: number;
    queued: number;
    accepted: number;
    sent: number;
    delivered: number;
    failed: number;
    cancelled: number;
  };
  refused: BulkSmsRefused;
  /** Billed segments of the messages that the gateway has accepted so far. */
  segments: number;
  /**
   * Messages per second, over the last few seconds; null when nothing is being sent, and for about the first
   * second of sending.
   */
  measuredRatePerSecond: number | null;
  /** When the last message will be submitted at the current rate. */
  estimatedEndAt: string | null;
  /**
   * Why the batch failed; null unless it failed. `processing_failed`: the service cannot process the batch
   * because of a permanent error. Messages that were created before continue; recipients without a message
   * count as failed in the ledger.
   */
  failure: {
    code:
      | 'sender_not_approved'
      | 'campaign_not_active'
      | 'contact_list_deleted'
      | 'no_recipients'
      | 'processing_failed';
    message: string;
  } | null;
  createdAt: Timestamp;
  startedAt: NullableTimestamp;
  completedAt: NullableTimestamp;
}

export interface BulkSmsFailures {
  /** The failed recipients of the batch. */
  failed: number;
  errorCodes: {
    /** The `errorCode` of the messages. Null: the batch failed before it had a message for these recipients. */
    errorCode: string | null;
    recipients: number;
  }[];
}

export interface BulkSmsMessage {
  /** The position in the order of sending, from 1. */
  position: number;
  messageId: string | null;
  contactId: string;
  /** E.164. */
  to: string;
  status: MessageStatus;
  /** The text with the merge fields filled in. */
  text: string | null;
  segments: number | null;
  /**
   * In addition to the codes of any message: `recipient_opted_out`, `duplicate_recipient`,
   * `invalid_recipient`, `text_empty`, `text_too_long`.
   */
  errorCode: string | null;
  errorMessage: string | null;
  createdAt: NullableTimestamp;
  acceptedAt: NullableTimestamp;
  sentAt: NullableTimestamp;
  deliveredAt: NullableTimestamp;
  failedAt: NullableTimestamp;
}

export interface SecurityCodeAnalytics {
  from: string;
  to: string;
  /** The time zone of the days: an IANA name. */
  timezone: string;
  totals: SecurityCodeCounts;
  /** Every day of the range, in order. */
  daily: {
    date: string;
    counts: SecurityCodeCounts;
  }[];
  /** By country calling code, highest number of codes first. */
  countries: {
    /** Digits without a `+`; null if the prefix is not assigned. */
    callingCode: string | null;
    counts: SecurityCodeCounts;
  }[];
}

export interface SecurityCodeCounts {
  /** The codes that were sent. */
  codes: number;
  /** Their messages that were delivered. */
  delivered: number;
  verified: number;
  expired: number;
  /** Codes with too many wrong attempts. */
  blocked: number;
  /** Codes that a newer one replaced. */
  superseded: number;
  pending: number;
  /** `verified` divided by all codes that are not pending; null if there are none. */
  conversionRate: number | null;
}

export interface Analytics {
  from: string;
  to: string;
  /** The time zone of the days: an IANA name. */
  timezone: string;
  totals: AnalyticsTotals;
  /** Every day of the range, in order. */
  daily: AnalyticsDay[];
  /** Highest number of messages first, at most a hundred; the export has all senders. */
  senders: AnalyticsSender[];
  /**
   * Campaigns that bulk messages were sent for, highest number of messages first, at most a hundred; the
   * export has all campaigns.
   */
  campaigns: AnalyticsCampaign[];
  /** Why messages failed, most frequent first. */
  errorCodes: {
    errorCode: string;
    messages: number;
  }[];
}

export interface AnalyticsTotals {
  /** The sum of the six statuses. */
  messages: number;
  /** The segments of all these messages, in every status. */
  segments: number;
  queued: number;
  accepted: number;
  sent: number;
  delivered: number;
  failed: number;
  cancelled: number;
  deliveryRate: DeliveryRate;
  medianDeliveryMs: DeliveryTimeMs;
  p95DeliveryMs: DeliveryTimeMs;
}

export interface AnalyticsDay {
  date: string;
  /** The sum of the six statuses. */
  messages: number;
  /** The segments of all these messages, in every status. */
  segments: number;
  queued: number;
  accepted: number;
  sent: number;
  delivered: number;
  failed: number;
  cancelled: number;
  deliveryRate: DeliveryRate;
  medianDeliveryMs: DeliveryTimeMs;
  p95DeliveryMs: DeliveryTimeMs;
}

export interface AnalyticsSender {
  sender: string;
  /** The sum of the six statuses. */
  messages: number;
  /** The segments of all these messages, in every status. */
  segments: number;
  queued: number;
  accepted: number;
  sent: number;
  delivered: number;
  failed: number;
  cancelled: number;
  deliveryRate: DeliveryRate;
  medianDeliveryMs: DeliveryTimeMs;
  p95DeliveryMs: DeliveryTimeMs;
}

export interface AnalyticsCampaign {
  campaignId: string;
  name: string;
  /** The sum of the six statuses. */
  messages: number;
  /** The segments of all these messages, in every status. */
  segments: number;
  queued: number;
  accepted: number;
  sent: number;
  delivered: number;
  failed: number;
  cancelled: number;
  deliveryRate: DeliveryRate;
}

/**
 * `delivered / (delivered + failed)`, to four decimals: the share of delivered messages among those with a known
 * outcome. Messages that are in progress or cancelled do not count; null while no outcome is known.
 */
export type DeliveryRate = number | null;

/**
 * Milliseconds from a message's creation to its delivery; null if nothing was delivered. Times are counted in
 * buckets (a DDSketch), so the value is off by at most 2 %, plus the rounding to a millisecond.
 */
export type DeliveryTimeMs = number | null;

export interface Notification {
  id: string;
  /** Null if the notification is personal and not for a member of an organization. */
  organizationId: string | null;
  kind:
    | 'sender_id_reviewed'
    | 'batch_completed'
    | 'batch_failed'
    | 'schedule_missed'
    | 'webhook_dead'
    | 'inbound_failed'
    | 'security_codes_unverified'
    | 'invitation_received';
  /** The id of the subject; `kind` determines its type. */
  subjectId: string;
  /** For people, like `body`; plain text. */
  title: string;
  body: string;
  /** For programs: ids, statuses and counts. */
  data: Record<string, string | number | boolean | null>;
  createdAt: Timestamp;
  readAt: NullableTimestamp;
}

export interface ReadAllNotificationsInput {
  organizationId: string;
}

export type Permission =
  | 'messages:send'
  | 'messages:read'
  | 'security-codes:send'
  | 'security-codes:verify'
  | 'schedules:write'
  | 'schedules:read'
  | 'contacts:write'
  | 'contacts:read'
  | 'contacts:verify'
  | 'contacts:import'
  | 'contacts:export'
  | 'phonebooks:write'
  | 'phonebooks:read'
  | 'templates:write'
  | 'templates:read'
  | 'campaigns:write'
  | 'campaigns:read'
  | 'bulk:write'
  | 'bulk:read'
  | 'bulk:export'
  | 'analytics:read'
  | 'analytics:export'
  | 'sender-ids:read'
  | 'sender-ids:write'
  | 'inbound:read'
  | 'inbound:write'
  | 'webhooks:read'
  | 'webhooks:write';

export interface ApiKeyMetadata {
  service?: string;
  description?: string;
  tags?: string[];
}

export interface ApiKeyInput {
  organizationId: string;
  name: string;
  environment: 'live' | 'test';
  permissions: Permission[];
  metadata?: ApiKeyMetadata;
  /** A time in the future. Without it the key does not expire, unless the operator has set a default for live keys. */
  expiresAt?: string;
  allowedAddresses?: AllowedAddresses;
}

/** IP addresses and networks (CIDR, such as 203.0.113.0/24) from which the key may be used. Without them it may be used from any address. Elsewhere the response is 403 `address_not_allowed`. */
export type AllowedAddresses = string[];

export interface ApiKeyChange {
  organizationId: string;
  name?: string;
  permissions?: Permission[];
  metadata?: ApiKeyMetadata;
  /** A time in the future; null removes the expiry. */
  expiresAt?: string | null;
  /** The key may be used from these addresses only; null allows all. */
  allowedAddresses?: string[] | null;
}

export interface ApiKey {
  id: string;
  organizationId: string;
  name: string;
  environment: 'live' | 'test';
  /** The key up to its secret. */
  prefix: string;
  publicId: string;
  permissions: Permission[];
  metadata: Record<string, unknown> | null;
  expiresAt: NullableTimestamp;
  /** The addresses and networks from which the key may be used; null for any. */
  allowedAddresses: string[] | null;
  lastUsedAt: NullableTimestamp;
  revokedAt: NullableTimestamp;
  createdAt: Timestamp;
}

export interface NewApiKey {
  id: string;
  organizationId: string;
  name: string;
  environment: 'live' | 'test';
  /** The key up to its secret. */
  prefix: string;
  publicId: string;
  permissions: Permission[];
  metadata: Record<string, unknown> | null;
  expiresAt: NullableTimestamp;
  /** The addresses and networks from which the key may be used; null for any. */
  allowedAddresses: string[] | null;
  lastUsedAt: NullableTimestamp;
  revokedAt: NullableTimestamp;
  createdAt: Timestamp;
  /** The whole key. It is shown only once. */
  key: string;
}

/** The organization's part of a URL, in lower-case letters, digits and single hyphens. */
export type Slug = string;

export interface OrganizationInput {
  name: Name;
  slug: Slug;
  logo?: HttpUrl;
  /** A JSON object. `timezone`, an IANA name, is the time zone of analytics. */
  metadata?: string;
  keepCurrentActiveOrganization?: boolean;
}

export interface OrganizationLimits {
  /** Requests per minute from all keys and sessions together. */
  requestsPerMinute: number;
  /** Requests per minute from one key or session. */
  requestsPerMinuteOfCaller: number;
  /** Invitations per day (UTC) by one user. */
  invitationsPerDayOfUser: number;
  /** The number of security codes that one recipient gets at most in any period of this length. */
  securityCodesPerRecipient: {
    codes: number;
    windowSeconds: number;
  };
  sending: SendingLimits;
}

export interface OrganizationUpdate {
  data: OrganizationChanges;
  organizationId?: string;
}

export interface ActiveOrganizationInput {
  organizationId?: string | null;
}

export interface SlugInput {
  slug: Slug;
}

export interface MemberRoleInput {
  memberId: string;
  role: MemberRole;
  organizationId?: string;
}

export interface RemoveMemberInput {
  memberIdOrEmail: string;
  organizationId?: string;
}

export interface LeaveInput {
  organizationId: string;
}

export interface InvitationInput {
  email: EmailAddress;
  role: MemberRole;
  organizationId?: string;
  resend?: boolean;
}

export interface InvitationIdInput {
  invitationId: string;
}

export interface OrganizationChanges {
  name?: Name;
  slug?: Slug;
  logo?: NullableHttpUrl;
  /**
   * A JSON object. `timezone`, an IANA name, is that of analytics. Null, or an empty text, makes it an object
   * without fields.
   */
  metadata?: string | null;
}

export type MemberRole = 'owner' | 'admin' | 'member';

export interface Organization {
  id: string;
  name: string;
  slug: string;
  logo?: string;
  createdAt: Timestamp;
  metadata?: string;
}

export interface OrganizationWithMembers {
  id: string;
  name: string;
  slug: string;
  logo?: string;
  createdAt: Timestamp;
  metadata?: string;
  members: MemberWithUser[];
  invitations?: Invitation[];
}

export interface Member {
  id: string;
  organizationId: string;
  userId: string;
  role: MemberRole;
  createdAt: Timestamp;
}

export interface MemberWithUser {
  id: string;
  organizationId: string;
  userId: string;
  role: MemberRole;
  createdAt: Timestamp;
  user?: MemberUser;
}

export interface MemberUser {
  id: string;
  name: string;
  email: string;
  image?: string;
}

export interface Invitation {
  id: string;
  organizationId: string;
  email: string;
  role?: MemberRole;
  status: 'pending' | 'accepted' | 'rejected' | 'canceled' | 'expired';
  expiresAt: Timestamp;
  createdAt: Timestamp;
  inviterId: string;
}

export interface InvitationWithNames {
  id: string;
  organizationId: string;
  email: string;
  role?: MemberRole;
  status: 'pending' | 'accepted' | 'rejected' | 'canceled' | 'expired';
  expiresAt: Timestamp;
  createdAt: Timestamp;
  inviterId: string;
  organizationName?: string;
  organizationSlug?: string;
  inviterEmail?: string;
}

export interface SignUpInput {
  name: Name;
  email: EmailAddress;
  password: string;
  image?: HttpUrl;
  callbackURL?: string;
  rememberMe?: boolean;
}

export interface SignInInput {
  email: EmailAddress;
  password: string;
  callbackURL?: string;
  rememberMe?: boolean;
  /** The code of the authenticator app, or a recovery code, if the user has two-factor sign-in. */
  code?: string;
}

export interface EnableTwoFactorInput {
  password: string;
}

export interface ConfirmTwoFactorInput {
  code: string;
}

export interface TwoFactorProof {
  password: string;
  code: string;
}

export interface TwoFactorState {
  isEnabled: boolean;
  recoveryCodesLeft: number;
}

export interface TwoFactorSecret {
  /** Shown as a QR code; its parameter `secret` can be typed. */
  totpURI: string;
}

export interface RecoveryCodes {
  recoveryCodes: string[];
}

export interface TwoFactorDisabled {
  success: boolean;
}

export interface SecurityEventPage {
  data: SecurityEvent[];
  pagination: CursorPagination;
}

export interface SecurityEvent {
  id: string;
  at: Timestamp;
  kind: SecurityEventKind;
  /** With what the user proved who they are; of `sign_in_failed`, what was wrong. */
  method: SignInMethod | null;
  ipAddress: string | null;
  /** The program. */
  userAgent: string | null;
  /** The administrator of the service who did it, if it was not the user. */
  administratorId: string | null;
}

export type SecurityEventKind =
  | 'signed_in'
  | 'sign_in_failed'
  | 'signed_out'
  | 'session_ended'
  | 'password_changed'
  | 'password_reset'
  | 'two_factor_enabled'
  | 'two_factor_disabled'
  | 'two_factor_reset'
  | 'recovery_codes_renewed'
  | 'passkey_added'
  | 'passkey_removed';

export type SignInMethod = 'password' | 'second_factor' | 'recovery_code' | 'passkey' | 'provider';

/** The options of WebAuthn, which a browser reads with `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. */
export interface PasskeyOptions {
  challenge: string;
}

export interface Passkey {
  id: string;
  name: string | null;
  /** Whether its provider copies it to other devices of the user. */
  isSynced: boolean;
  createdAt: Timestamp;
}

export interface AddPasskeyInput {
  name?: string;
  /** The `toJSON()` of the new credential (`RegistrationResponseJSON`). */
  response: {
    id: string;
    rawId: string;
    type: 'public-key';
    response: {
      clientDataJSON: string;
      attestationObject: string;
      transports?: string[];
    };
  };
}

export interface PasskeySignInInput {
  /** The `toJSON()` of the credential (`AuthenticationResponseJSON`). */
  response: {
    id: string;
    rawId: string;
    type: 'public-key';
    response: {
      clientDataJSON: string;
      authenticatorData: string;
      signature: string;
      userHandle?: string;
    };
  };
}

export interface RemovePasskeyInput {
  id: string;
}

export interface SignInOptions {
  providers: {
    /** The value of `provider` in the sign-in. */
    id: string;
    kind: 'google' | 'github' | 'oidc';
  }[];
  /** Whether people can create accounts themselves. */
  isSignUpOpen: boolean;
  /** Whether browsers can make passkeys for the service: not if its host is an IP address. */
  hasPasskeys: boolean;
}

export interface SocialSignInInput {
  provider: string;
  callbackURL?: string;
  errorCallbackURL?: string;
  newUserCallbackURL?: string;
  disableRedirect?: boolean;
  requestSignUp?: boolean;
  loginHint?: string;
  scopes?: string[];
  idToken?: ProviderToken;
}

export interface RevokeSessionInput {
  token: string;
}

export interface EmailInput {
  email: EmailAddress;
  callbackURL?: string;
}

export interface VerifyEmailInput {
  token: string;
  callbackURL?: string;
}

export interface PasswordResetRequest {
  email: EmailAddress;
  redirectTo?: string;
}

export interface PasswordResetInput {
  newPassword: string;
  token: string;
}

export interface ChangePasswordInput {
  newPassword: string;
  currentPassword: string;
  revokeOtherSessions?: boolean;
}

export interface UpdateUserInput {
  name?: Name;
  image?: NullableHttpUrl;
}

export interface LinkSocialInput {
  provider: string;
  callbackURL?: string;
  errorCallbackURL?: string;
  disableRedirect?: boolean;
  scopes?: string[];
}

export interface UnlinkAccountInput {
  accountId: string;
}

export interface ProviderToken {
  token: string;
  nonce?: string;
  accessToken?: string;
  refreshToken?: string;
}

export type UserRole = 'user' | 'admin';

export interface User {
  id: string;
  name: string;
  email: string;
  emailVerified: boolean;
  image?: string;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  role?: UserRole;
  banned?: boolean;
  banReason?: string;
  banExpires?: Timestamp;
}

export interface Session {
  id: string;
  expiresAt: Timestamp;
  token: string;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  ipAddress?: string;
  userAgent?: string;
  userId: string;
  impersonatedBy?: string;
  activeOrganizationId?: string;
}

export interface SessionAndUser {
  session: Session;
  user: User;
}

/** A sign-in method. The tokens and the password are stored and never returned. */
export interface Account {
  id: string;
  accountId: string;
  providerId: string;
  userId: string;
  accessToken?: string;
  refreshToken?: string;
  idToken?: string;
  accessTokenExpiresAt?: Timestamp;
  refreshTokenExpiresAt?: Timestamp;
  scope?: string;
  password?: string;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

/**
 * A mailed link or token, or a sign-in in progress at a provider, until it is used or expires.
 * No endpoint returns it.
 */
export interface Verification {
  id: string;
  identifier: string;
  value: string;
  expiresAt: Timestamp;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

export interface ServiceSettings {
  /** The address of the Temporal Web UI; null if it is not configured. */
  temporalUiUrl: string | null;
  temporalNamespace: string;
}

export interface AdministeredOrganization {
  id: string;
  name: string;
  slug: string;
  memberCount: number;
  createdAt: Timestamp;
}

export interface FailedMessage {
  id: string;
  organizationId: string;
  organizationName: string;
  environment: 'live' | 'test';
  from: string;
  to: string;
  errorCode: string | null;
  errorMessage: string | null;
  /** The batch that the message belongs to. */
  bulkSmsId: string | null;
  /** The workflow that carried the message; null if none did. */
  workflowId: string | null;
  createdAt: Timestamp;
  failedAt: NullableTimestamp;
}

export interface UserIdInput {
  userId: string;
}

export interface CreateUserInput {
  email: EmailAddress;
  name: Name;
  password?: string;
  role?: UserRole;
}

export interface SetRoleInput {
  userId: string;
  role: UserRole;
}

export interface BanInput {
  userId: string;
  banReason?: string;
  /** In seconds. Permanent by default. */
  banExpiresIn?: number;
}

export interface SessionTokenInput {
  /** The `token` from `list-user-sessions`, which is the session's id, or the session's actual token. */
  sessionToken: string;
}

export interface ReviewedSenderId {
  id: string;
  organizationId: string;
  /** The sender that recipients see. */
  value: string;
  status: SenderIdStatus;
  /** Whether messages without `from` use it. */
  isDefault: boolean;
  useCase: string;
  sampleMessage: string;
  website: string | null;
  /** Warnings about the value that a reviewer must know. */
  warnings: string[];
  reviewReason: string | null;
  reviewedAt: NullableTimestamp;
  organizationName: string;
  /** The person or key that last requested the sender ID. Name and address are null if the person or key no longer exists; keys have no address. */
  requestedBy: {
    kind: 'api_key' | 'user';
    id: string;
    name: string | null;
    email: string | null;
  } | null;
  createdAt: Timestamp;
}

export interface SenderIdReview {
  action: 'approve' | 'reject';
  /** Required for a rejection. */
  reason?: string;
  /** Whether it becomes the organization's default sender ID. True is allowed with `approve` only. */
  isDefault?: boolean;
}

export interface RedriveInput {
  organizationId?: string;
}

export interface MessageRedriveInput {
  /** Only messages created at this time or later. Not before 1970. */
  from: string;
  /** Only messages created before this time, which must be after `from`. */
  to: string;
  /** Only items of this organization. */
  organizationId?: string;
  /** Only messages that failed with this code. Messages with other codes are never resent. */
  errorCode?:
    | 'content_refused'
    | 'destination_not_allowed'
    | 'dlr_timeout'
    | 'gateway_rejected'
    | 'not_routable'
    | 'smsc_rejected'
    | 'undelivered'
    | 'validity_expired';
  /** Only items of this environment. */
  environment?: 'live' | 'test';
  /** The maximum number of items to redrive. */
  limit?: number;
}

export interface DeliveryRedriveInput {
  /** Only deliveries created at this time or later. Not before 1970. */
  from: string;
  /** Only deliveries created before this time, which must be after `from`. */
  to: string;
  /** Only items of this organization. */
  organizationId?: string;
  /**
   * Only deliveries whose last attempt ended with this result: an error code of `lastAttempt`, or its HTTP
   * status.
   */
  errorCode?: string;
  /** Only items of this environment. */
  environment?: 'live' | 'test';
  /** The maximum number of items to redrive. */
  limit?: number;
}

export interface Redrive {
  /** Its workflow in Temporal is `redrives/<id>`. */
  id: string;
  kind: 'messages' | 'webhook_deliveries';
  /** `completed` when no matching items are left, or `limit` items were redriven. */
  status: 'pending' | 'running' | 'completed' | 'cancelled' | 'failed';
  /**
   * Why the redrive failed; null unless it failed. `processing_failed`: the service cannot process it because of
   * a permanent error. Items that were redriven before stay redriven.
   */
  failure: {
    code: 'processing_failed';
    message: string;
  } | null;
  filter: {
    from: Timestamp;
    to: Timestamp;
    organizationId: string | null;
    errorCode: string | null;
    environment: 'live' | 'test' | null;
  };
  limit: number;
  /** The number of matching items that were examined (`redriven` plus `skipped`). */
  matched: number;
  redriven: number;
  /** The number of items left unchanged, by reason. */
  skipped: Partial<
    Record<
      | 'already_redriven'
      | 'error_not_redrivable'
      | 'not_dead'
      | 'one_time_text'
      | 'personal_data_discarded'
      | 'sender_not_approved',
      number
    >
  >;
  /** The administrator. */
  requestedBy: string;
  createdAt: Timestamp;
  startedAt: NullableTimestamp;
  endedAt: NullableTimestamp;
}

/** The new controls. They replace the stored ones as a whole. */
export interface SendingControlsInput {
  /** Whether live messages wait instead of being submitted. */
  held: boolean;
  /** Why sending is held, for other administrators. Only with `held`. */
  reason?: string;
  /**
   * The beginnings of the numbers that may receive live messages, in E.164: country codes (`+251`) or longer
   * (`+25191`). `+` allows every number. Null, or no value, allows what the platform allows; for the platform
   * itself, every number. A message to another number is refused with `destination_not_allowed`, and one that
   * waits for its submission fails with this code.
   */
  destinations?: string[] | null;
  /**
   * How many live messages an organization may send in an hour. Null, or no value, means the cap of the platform;
   * for the platform itself, no cap. The same applies to the other caps.
   */
  messagesPerHour?: number | null;
  /** How many live messages an organization may send to one number in an hour. */
  recipientMessagesPerHour?: number | null;
  /** How many live messages an organization may send to one number in a day. */
  recipientMessagesPerDay?: number | null;
  /**
   * How many live messages an organization may send in an hour to the numbers with a prefix. A message counts for
   * each prefix that its number begins with.
   */
  prefixCaps?: PrefixCap[] | null;
  /**
   * Only for the platform: organizations that are younger than `days` may send at most `messagesPerDay` live
   * messages in a day, besides the caps. Null, or no value, means no such limit.
   */
  newOrganizations?: {
    days: number;
    messagesPerDay: number;
  } | null;
  /** Only for an organization. True if the limit of new organizations does not apply to it. */
  newOrganizationLimitLifted?: boolean;
}

export interface PrefixCap {
  /** The beginning of numbers in E.164, such as `+251`. `+` is every number. */
  prefix: string;
  messagesPerHour: number;
}

export interface SendingControls {
  /** Null for the controls of the platform. */
  organizationId: string | null;
  /** Whether live messages wait instead of being submitted. */
  held: boolean;
  heldAt: NullableTimestamp;
  /** Why sending is held. */
  reason: string | null;
  /** The beginnings of the numbers that may receive live messages; null if there is no limit of its own. */
  destinations: string[] | null;
  /** The cap of an organization an hour; null if there is none of its own. */
  messagesPerHour: number | null;
  /** The cap to one number an hour. */
  recipientMessagesPerHour: number | null;
  /** The cap to one number a day. */
  recipientMessagesPerDay: number | null;
  /** The caps an hour to the numbers with a prefix; null if there are none of its own. */
  prefixCaps: PrefixCap[] | null;
  /** The limit of new organizations, on the platform; null if there is none. */
  newOrganizations: {
    days: number;
    messagesPerDay: number;
  } | null;
  /** Whether the limit of new organizations does not apply. */
  newOrganizationLimitLifted: boolean;
  /** Null if the controls were never changed. */
  updatedAt: NullableTimestamp;
}

/**
 * The caps on the live messages of the organization, and how much of them is used. Hours and days are those of the
 * clock (UTC). Null if there is no such cap.
 */
export interface SendingLimits {
  messagesPerHour: SendingCapUse | null;
  /** Messages to one number in an hour. */
  recipientMessagesPerHour: number | null;
  /** Messages to one number in a day. */
  recipientMessagesPerDay: number | null;
  /** The caps on messages in an hour to the numbers with a prefix. */
  prefixes: {
    prefix: string;
    cap: SendingCapUse;
  }[];
  /** The limit of messages in a day that applies while the organization is new. */
  newOrganization: {
    messagesPerDay: SendingCapUse;
    /** When the organization is no longer new. */
    endsAt: Timestamp;
  } | null;
}

export interface SendingCapUse {
  /** The number of messages that are allowed. */
  limit: number;
  /** The number of messages counted in this hour or day. A cap counts from the moment when it is set. */
  used: number;
  /** When the next hour or day begins. */
  resetsAt: Timestamp;
}

/**
 * `off`: nothing is counted. `alarm`: alarms are raised, and codes are sent. `hold`: alarms are raised, and codes to
 * their prefixes are refused.
 */
export type SecurityCodeWatchMode = 'off' | 'alarm' | 'hold';

/** The new settings. They replace the stored ones as a whole. */
export interface SecurityCodeWatchInput {
  mode: SecurityCodeWatchMode;
  /** How many codes in an hour raise an alarm at the least. */
  minCodes: number;
  /** The share of verified codes below which an alarm is raised, in percent. */
  minVerifiedPercent: number;
  /** How long an alarm lasts, in hours. */
  holdHours: number;
  /** The organizations whose codes raise no alarm. */
  exemptOrganizationIds?: string[];
  /**
   * The beginnings of the numbers whose codes raise no alarm, in E.164: a country code (`+251`), or up to the
   * length of the prefixes that are counted (`+251911`).
   */
  exemptPrefixes?: string[];
}

export interface SecurityCodeWatch {
  mode: SecurityCodeWatchMode;
  /** How many codes in an hour raise an alarm at the least. */
  minCodes: number;
  /** The share of verified codes below which an alarm is raised, in percent. */
  minVerifiedPercent: number;
  /** How long an alarm lasts, in hours. */
  holdHours: number;
  exemptOrganizationIds: string[];
  exemptPrefixes: string[];
  /** Null if the settings were never changed. */
  updatedAt: NullableTimestamp;
}

export interface SecurityCodeAlarm {
  id: string;
  organizationId: string;
  organizationName: string;
  /** The country code and the next three digits: `+251911`. */
  prefix: string;
  /** Whether live security codes to the prefix are refused while the alarm lasts. */
  holds: boolean;
  /** The codes of the hour before the alarm. */
  codes: number;
  /** How many of them were verified. */
  verified: number;
  raisedAt: Timestamp;
  /** When the alarm ends unless it is released before. */
  endsAt: Timestamp;
  /** Null while the alarm lasts. */
  endedAt: NullableTimestamp;
  /** The administrator who ended the alarm; null if nobody did. */
  releasedBy: string | null;
}

/**
 * `contains`: refuses a text with one of the phrases, as whole words in this order. Case, punctuation and the width
 * of characters do not matter. `link_in`: refuses a text with a link to one of the hosts, or to a host below it.
 * `link_not_in`: refuses a text with a link to any other host; a name without `https://`, `www.` and a path does
 * not count as a link here.
 */
export type ContentRuleKind = 'contains' | 'link_in' | 'link_not_in';

export interface ContentRuleChange {
  kind: ContentRuleKind;
  /** The phrases, or the hosts without a scheme. */
  values: string[];
  /** What the sender of a refused message is told. */
  reason: string;
}

export interface ContentRuleInput {
  /** The organization to which the rule applies; null, or no value, for all organizations. */
  organizationId?: string | null;
  kind: ContentRuleKind;
  /** The phrases, or the hosts without a scheme. */
  values: string[];
  /** What the sender of a refused message is told. */
  reason: string;
}

export interface ContentRule {
  id: string;
  /** Null for a rule of the platform. */
  organizationId: string | null;
  kind: ContentRuleKind;
  values: string[];
  /** What the sender of a refused message is told. */
  reason: string;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

export interface WebhookDelivery {
  /** The id of the envelope, sent as `X-Service-Delivery`. */
  id: string;
  messageId: string;
  organizationId: string;
  environment: 'live' | 'test';
  event: 'message.accepted' | 'message.sent' | 'message.delivered' | 'message.failed' | 'message.received';
  url: string;
  /**
   * `pending` until the first attempt, or the first attempt after a redrive, has ended. `retrying` while another
   * attempt is due. `delivered` and `dead` are final, unless a dead delivery is redriven.
   */
  status: 'pending' | 'delivered' | 'retrying' | 'dead';
  /** Attempts so far, including those before redrives. */
  attempts: number;
  /** When the next attempt is due. While an attempt runs, when it counts as lost. Null if no attempt is due. */
  nextAttemptAt: string | null;
  createdAt: Timestamp;
  deliveredAt: NullableTimestamp;
  /** Null before the first attempt. */
  lastAttempt: WebhookAttempt | null;
}

export interface WebhookDeliveryDetails {
  delivery: WebhookDelivery;
  /** The body of every request of this delivery. */
  body: string;
  /** The latest attempts, newest first. */
  attempts: WebhookAttempt[];
}

export interface WebhookAttempt {
  number: number;
  at: Timestamp;
  /** Null while the attempt runs. */
  durationMs: number | null;
  /** Null if no response arrived. */
  httpStatus: number | null;
  /** The first 1 KiB of the response body. */
  response: string | null;
  /** Null if the receiver accepted the event, or while the attempt runs. */
  error: {
    /** A stable code, for programs. */
    code: string;
    /** What went wrong and what to do. */
    message: string;
  } | null;
}

/** The body of a request to a message's webhook. */
export interface WebhookEnvelope {
  /** The id of the delivery, the same across retries and redrives. */
  id: string;
  event: 'message.accepted' | 'message.sent' | 'message.delivered' | 'message.failed' | 'message.received';
  createdAt: Timestamp;
  /** `ReceivedSnapshot` for `message.received`, `MessageSnapshot` for all other events. */
  data: MessageSnapshot | ReceivedSnapshot;
}

/** The message at the time of the event, without text, metadata, environment and acceptedAt. */
export interface MessageSnapshot {
  /** The id of the message. */
  id: string;
  organizationId: string;
  event: 'message.accepted' | 'message.sent' | 'message.delivered' | 'message.failed';
  status: 'accepted' | 'sent' | 'delivered' | 'failed';
  from: string;
  /** E.164. */
  to: string;
  /** The number of billed segments. */
  segments: number;
  providerMessageId: string | null;
  errorCode: string | null;
  errorMessage: string | null;
  createdAt: Timestamp;
  sentAt: NullableTimestamp;
  deliveredAt: NullableTimestamp;
  failedAt: NullableTimestamp;
}

/**
 * A message that the recipient of a message sent to its sender within 7 days. It is reported to the webhook of the
 * last message from that sender to that recipient. If several organizations share a short code, a message that a
 * keyword routes to one of them is reported only for that organization's messages. A message that is routed to
 * none is reported to the organization that sent the last live message, and appears in no organization's list.
 */
export interface ReceivedSnapshot {
  /** The id of the inbound message. */
  id: string;
  organizationId: string;
  event: 'message.received';
  /** The phone. */
  from: string;
  /** The number that the phone texted. */
  to: string;
  text: string;
  providerMessageId: string | null;
  /** The id of the message that has this webhook. */
  inReplyToMessageId: string;
  receivedAt: Timestamp;
}

export type TemplateCategory = 'general' | 'marketing' | 'notification' | 'otp' | 'reminder';

export type TemplateScope = 'team' | 'personal';

export interface TemplateInput {
  organizationId: string;
  name: string;
  content: string;
  /** A new template is general when this is left out. */
  category?: TemplateCategory;
  /** A new template belongs to the team when this is left out. */
  scope?: TemplateScope;
}

export interface Template {
  id: string;
  organizationId: string;
  name: string;
  content: string;
  category: TemplateCategory;
  scope: TemplateScope;
  /** The encoding of the message, as long as the filled-in values need no further characters. */
  encoding: 'gsm7' | 'ucs2';
  /**
   * Of the content with its defaults filled in, where `{{code}}` counts as six digits. The values of a contact
   * may need more segments.
   */
  segments: number;
  /** The fields of the content, each with its default, in order of appearance. */
  mergeFields: {
    name: string;
    default: string | null;
  }[];
  /** The problems for which bulk SMS would reject the content; empty if there are none. If there are more than 20 problems, the last warning says how many are not listed. */
  warnings: string[];
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

export type CampaignStatus = 'active' | 'paused' | 'archived';

export interface CampaignInput {
  organizationId: string;
  name: string;
  description?: string | null;
  /** An approved sender; a number in any spelling that a recipient may have. */
  sender?: string | null;
  /** A new campaign is active when this is left out. */
  status?: CampaignStatus;
}

export interface Campaign {
  id: string;
  organizationId: string;
  name: string;
  description: string | null;
  sender: string | null;
  status: CampaignStatus;
  /** Bulk batches of the campaign. */
  batches: number;
  /** Messages of those batches. */
  messages: number;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

export type SenderIdStatus = 'pending' | 'approved' | 'rejected';

export interface SenderIdInput {
  value: string;
  useCase: string;
  sampleMessage: string;
  /** An address in any form, for example `example.com`. */
  website?: string;
  organizationId?: string;
}

export interface SenderId {
  id: string;
  organizationId: string;
  /** The sender that recipients see. */
  value: string;
  status: SenderIdStatus;
  /** Whether messages without `from` use it. */
  isDefault: boolean;
  useCase: string;
  sampleMessage: string;
  website: string | null;
  /** Known problems of the value. */
  warnings: string[];
  reviewReason: string | null;
  reviewedAt: NullableTimestamp;
  /** Who last requested it; null if it was not requested. */
  requestedBy: {
    kind: 'api_key' | 'user';
    id: string;
  } | null;
  createdAt: Timestamp;
}

export interface SuppressionInput {
  phoneNumber: string;
  reason?: string;
  organizationId?: string;
}

export interface Suppression {
  id: string;
  organizationId: string;
  /** E.164. */
  phoneNumber: string;
  /** For an entry that a recipient caused by `STOP` or another word for it: "The recipient sent STOP." */
  reason: string | null;
  /**
   * Who put the number on the list: the organization, or the recipient by STOP. Each may add the number once.
   * START removes the entry that STOP added.
   */
  source: 'operator' | 'recipient';
  createdAt: Timestamp;
}

/** A number of days; null or absent to keep the data. */
export type Days = number | null;

export interface RetentionInput {
  textDays?: Days;
  numberDays?: Days;
  inboundDays?: Days;
  webhookBodyDays?: Days;
  organizationId?: string;
}

export interface Retention {
  organizationId: string;
  /** After how many days the texts of messages are discarded. The text of a security code is never stored: it is masked. */
  textDays: number | null;
  /** After how many days the numbers in messages, security codes and bulk batches are masked. */
  numberDays: number | null;
  /** After how many days the texts and senders of inbound messages are discarded. */
  inboundDays: number | null;
  /** After how many days the bodies of webhook deliveries and of the responses to them are discarded. */
  webhookBodyDays: number | null;
  /** How many rows were discarded so far. */
  discarded: {
    messageTexts: number;
    messageNumbers: number;
    inboundMessages: number;
    webhookBodies: number;
  };
  /** When everything that is due was last discarded; null before the first time. */
  lastRunAt: string | null;
}

export interface ErasureInput {
  phoneNumber: string;
  organizationId?: string;
}

export interface Erasure {
  /** Its workflow in Temporal is `erasures/<id>`. */
  id: string;
  organizationId: string;
  status: 'running' | 'waiting' | 'completed';
  /** The keyed hash (HMAC-SHA-256, hexadecimal) of the number. The number itself is not kept. */
  numberHash: string;
  /** What must end before the erasure goes on; null if nothing. */
  waitingFor:
    'messages' | 'security_codes' | 'inbound_messages' | 'webhook_deliveries' | 'contact_imports' | null;
  /** The number of changed or deleted rows, by table. */
  erased: Record<string, number>;
  createdAt: Timestamp;
  completedAt: string | null;
}

export interface PlatformErasureInput {
  phoneNumber: string;
}

export interface PlatformErasure {
  /** Its workflow in Temporal is `erasures/<id>`. */
  id: string;
  status: 'running' | 'waiting' | 'completed';
  /** The keyed hash (HMAC-SHA-256, hexadecimal) of the number. The number itself is not kept. */
  numberHash: string;
  /** What must end before the erasure goes on; null if nothing. */
  waitingFor:
    'messages' | 'security_codes' | 'inbound_messages' | 'webhook_deliveries' | 'contact_imports' | null;
  /** The number of changed or deleted rows, by table. */
  erased: Record<string, number>;
  createdAt: Timestamp;
  completedAt: string | null;
}

export interface PlatformPersonExport {
  phoneNumber: string;
  inboundMessages: ExportedRows;
}

export interface Consent {
  /** Whether messages to the number are refused, by an entry of the suppression list or by an opt-out whose number was erased. */
  optedOut: boolean;
  history: ConsentEvent[];
}

export interface ConsentEvent {
  id: string;
  at: Timestamp;
  kind: 'opted_out' | 'opted_in';
  /** The recipient by STOP or START, or the organization. */
  source: 'recipient' | 'operator';
  /** The message of the recipient. */
  inboundMessageId: string | null;
  /** Who changed the suppression list; null for a recipient. */
  actor: {
    kind: 'api_key' | 'user';
    id: string;
  } | null;
}

export interface PersonExport {
  phoneNumber: string;
  contacts: ExportedRows;
  phonebooks: ExportedRows;
  messages: ExportedRows;
  securityCodes: ExportedRows;
  schedules: ExportedRows;
  bulkRecipients: ExportedRows;
  inboundMessages: ExportedRows;
  webhookDeliveries: ExportedRows;
  importRejects: ExportedRows;
  suppressions: ExportedRows;
  /** Templates, campaigns, phonebooks, keyword rules and batches whose name or text has the number; `kind` says which. */
  mentions: ExportedRows;
  consent: ExportedRows;
}

export type ExportedRows = Record<string, unknown>[];

export interface InboundKeywordInput {
  keyword: string;
  response: string;
  /** The default for a new rule is `exact`. */
  matchType?: MatchType;
  /** An approved sender. A number may have any form that is valid for a recipient. */
  sender?: string | null;
  /** The default for a new rule is true. */
  enabled?: boolean;
  organizationId?: string;
}

export interface InboundKeywordChange {
  keyword?: string;
  response?: string;
  /** The default for a new rule is `exact`. */
  matchType?: MatchType;
  /** An approved sender. A number may have any form that is valid for a recipient. */
  sender?: string | null;
  /** The default for a new rule is true. */
  enabled?: boolean;
  organizationId?: string;
}

export interface InboundKeywordTest {
  text: string;
  organizationId?: string;
}

export interface InboundKeywordMatch {
  /** Whether the text matches a rule, or ends or resumes sending; null if it matches nothing. */
  matched: 'keyword' | 'stop' | 'start' | null;
  /** The rule; null unless `matched` is `keyword`. */
  rule: InboundKeyword | null;
  /** The text of the reply; null without one. */
  reply: string | null;
}

export interface InboundThreadEntry {
  /** The id of the inbound message or of the message. */
  id: string;
  direction: 'inbound' | 'outbound';
  /** The phone, or the number of the organization. */
  from: string;
  to: string;
  text: string;
  /** The status of the inbound message, or of the message. */
  status: string;
  /** Null for an inbound message. */
  environment: 'live' | 'test' | null;
  errorCode: string | null;
  errorMessage: string | null;
  createdAt: Timestamp;
}

export type MatchType = 'exact' | 'starts_with' | 'contains';

export interface InboundKeyword {
  id: string;
  organizationId: string;
  keyword: string;
  response: string;
  matchType: MatchType;
  /** Null replies from the recipient number of the inbound message. */
  sender: string | null;
  enabled: boolean;
  createdAt: Timestamp;
  updatedAt: Timestamp;
}

export interface InboundMessage {
  id: string;
  /** Null if it belongs to no organization. */
  organizationId: string | null;
  /** The phone: E.164, or as received if it is not a number. */
  from: string;
  /** The number that the phone texted: a short code, E.164, or as received. */
  to: string;
  text: string;
  /**
   * `received` until processing begins. `processing` during processing. `processed` after a reply was sent or
   * none is needed. `failed` if a cause must be corrected before the message is redriven. `unmatched` if no rule
   * matched.
   */
  status: 'received' | 'processing' | 'processed' | 'failed' | 'unmatched';
  /** Whether the message matched a rule, or ended or resumed sending. */
  matched: 'keyword' | 'stop' | 'start' | null;
  /** The rule; null after it is deleted. */
  keywordId: string | null;
  /** The reply. */
  replyMessageId: string | null;
  /**
   * The last message that the organization of this message sent from the number to the phone in the 7 days
   * before, excluding replies to inbound messages. If this message belongs to no organization, the last live
   * message that any owner of the number sent.
   */
  inReplyToMessageId: string | null;
  /**
   * Why the message failed: `sender_not_approved` or `processing_failed`. Or why it was processed without a
   * reply: `invalid_recipient` (the phone is not a number), `recipient_opted_out`, `destination_not_allowed`, `content_refused`,
   * `reply_limit_reached`, `own_number` (the number would reply to itself), `already_opted_out`, or, for START, `not_opted_out`,
   * `suppressed_by_operator` (the organization itself has the phone on its suppression list) and
   * `stopped_elsewhere` (a STOP to another number is in effect).
   */
  errorCode: string | null;
  errorMessage: string | null;
  smscId: string | null;
  providerMessageId: string | null;
  /** The workflow that handles it; null until started. */
  workflowId: string | null;
  receivedAt: Timestamp;
  processedAt: NullableTimestamp;
}

/** The answer to `health.get`: GET /health. */
export interface GetHealthResponse {
  status: 'ok';
}

/** The answer to `health.live`: GET /health/live. */
export interface GetLivenessResponse {
  status: 'ok';
}

/** The query of `messages.list`: GET /api/v1/messages. */
export interface ListMessagesQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** Only resources of this environment. A key sees its own environment; a session sees both. */
  environment?: 'live' | 'test';
  /** Only messages with this current status. */
  status?: MessageStatus;
  /**
   * Only messages to this number, in any notation that `to` of a message accepts. In a query, write `+` as
   * `%2B`. For an Ethiopian number the `+` may be omitted.
   */
  to?: string;
  /** Only messages from this sender. A number may be written in any notation that `from` accepts. */
  from?: string;
  /** Only messages created at or after this time. */
  createdFrom?: string;
  /**
   * Only messages created before this time, so that consecutive ranges share no message. It must be later than
   * `createdFrom`.
   */
  createdBefore?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `messages.list`: GET /api/v1/messages. */
export interface ListMessagesResponse {
  data: Message[];
  pagination: CursorPagination;
}

/** The query of `messages.get`: GET /api/v1/messages/{messageId}. */
export interface GetMessageQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `messageSchedules.list`: GET /api/v1/message-schedules. */
export interface ListMessageSchedulesQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** Only resources of this environment. A key sees its own environment; a session sees both. */
  environment?: 'live' | 'test';
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `messageSchedules.list`: GET /api/v1/message-schedules. */
export interface ListMessageSchedulesResponse {
  data: MessageSchedule[];
  pagination: CursorPagination;
}

/** The query of `messageSchedules.delete`: DELETE /api/v1/message-schedules/{scheduleId}. */
export interface DeleteMessageScheduleQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `messages.timeline`: GET /api/v1/messages/{messageId}/timeline. */
export interface GetMessageTimelineQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The query of `contacts.list`: GET /api/v1/contacts/. */
export interface ListContactsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /**
   * Only contacts that have this in their name, number, e-mail address, company or one of their tags. Case
   * does not matter, and neither does the spelling of a number (`0911…`, `+251911…`, `+2510911…`, `00251911…`,
   * with a `+` that was not encoded); consecutive digits match any part of a number.
   */
  search?: string;
  /** Only contacts created on this day or later; not after `to`. Days are in UTC. */
  from?: string;
  /** Only contacts created on this day or earlier. */
  to?: string;
  /** Only contacts with exactly this tag. */
  tag?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `contacts.list`: GET /api/v1/contacts/. */
export interface ListContactsResponse {
  data: Contact[];
  pagination: CursorPagination;
}

/** The query of `contacts.count`: GET /api/v1/contacts/count. */
export interface CountContactsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /**
   * Only contacts that have this in their name, number, e-mail address, company or one of their tags. Case
   * does not matter, and neither does the spelling of a number (`0911…`, `+251911…`, `+2510911…`, `00251911…`,
   * with a `+` that was not encoded); consecutive digits match any part of a number.
   */
  search?: string;
  /** Only contacts created on this day or later; not after `to`. Days are in UTC. */
  from?: string;
  /** Only contacts created on this day or earlier. */
  to?: string;
  /** Only contacts with exactly this tag. */
  tag?: string;
}

/** The query of `contacts.getImport`: GET /api/v1/contacts/imports/{importId}. */
export interface GetContactImportQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `contacts.downloadImportRejects`: GET /api/v1/contacts/imports/{importId}/rejects. */
export interface DownloadContactImportRejectsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `contacts.export`: GET /api/v1/contacts/export. */
export interface ExportContactsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /**
   * Only contacts that have this in their name, number, e-mail address, company or one of their tags. Case
   * does not matter, and neither does the spelling of a number (`0911…`, `+251911…`, `+2510911…`, `00251911…`,
   * with a `+` that was not encoded); consecutive digits match any part of a number.
   */
  search?: string;
  /** Only contacts created on this day or later; not after `to`. Days are in UTC. */
  from?: string;
  /** Only contacts created on this day or earlier. */
  to?: string;
}

/** The query of `contacts.delete`: DELETE /api/v1/contacts/{contactId}. */
export interface DeleteContactQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `contactLists.list`: GET /api/v1/contact-lists/. */
export interface ListPhonebooksQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `contactLists.list`: GET /api/v1/contact-lists/. */
export interface ListPhonebooksResponse {
  data: Phonebook[];
  pagination: CursorPagination;
}

/** The query of `contactLists.delete`: DELETE /api/v1/contact-lists/{listId}. */
export interface DeletePhonebookQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `contactLists.listMembers`: GET /api/v1/contact-lists/{listId}/members. */
export interface ListPhonebookMembersQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `contactLists.listMembers`: GET /api/v1/contact-lists/{listId}/members. */
export interface ListPhonebookMembersResponse {
  data: Contact[];
  pagination: CursorPagination;
}

/** The query of `contactLists.removeMember`: DELETE /api/v1/contact-lists/{listId}/members/{contactId}. */
export interface RemovePhonebookMemberQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `bulkSms.list`: GET /api/v1/bulk-sms/. */
export interface ListBulkSmsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** Only resources of this environment. A key sees its own environment; a session sees both. */
  environment?: 'live' | 'test';
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `bulkSms.list`: GET /api/v1/bulk-sms/. */
export interface ListBulkSmsResponse {
  data: BulkSms[];
  pagination: CursorPagination;
}

/** The query of `bulkSms.get`: GET /api/v1/bulk-sms/{bulkSmsId}. */
export interface GetBulkSmsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `bulkSms.cancel`: DELETE /api/v1/bulk-sms/{bulkSmsId}. */
export interface CancelBulkSmsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `bulkSms.listMessages`: GET /api/v1/bulk-sms/{bulkSmsId}/messages. */
export interface ListBulkSmsMessagesQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /**
   * Only recipients whose number contains this, in any spelling, or whose contact has it in its name, e-mail
   * address, company or tags as the contact is now, not as it was when the batch began.
   */
  search?: string;
  /** Only recipients in this status. */
  status?: MessageStatus;
  /** The number of the page, from 1. A page after the last one is empty. */
  page?: number;
  /** The number of items per page, 1 to 100. */
  pageSize?: number;
}

/** The answer to `bulkSms.listMessages`: GET /api/v1/bulk-sms/{bulkSmsId}/messages. */
export interface ListBulkSmsMessagesResponse {
  data: BulkSmsMessage[];
  pagination: PagePagination;
}

/** The query of `bulkSms.exportMessages`: GET /api/v1/bulk-sms/{bulkSmsId}/messages/export. */
export interface ExportBulkSmsMessagesQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /**
   * Only recipients whose number contains this, in any spelling, or whose contact has it in its name, e-mail
   * address, company or tags as the contact is now, not as it was when the batch began.
   */
  search?: string;
  /** Only recipients in this status. */
  status?: MessageStatus;
}

/** The query of `bulkSms.stream`: GET /api/v1/bulk-sms/{bulkSmsId}/events. */
export interface StreamBulkSmsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `bulkSms.listFailures`: GET /api/v1/bulk-sms/{bulkSmsId}/failures. */
export interface ListBulkSmsFailuresQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `analytics.get`: GET /api/v1/analytics/. */
export interface GetAnalyticsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /**
   * The first day, in the organization's time zone. Without it, the range is the 30 days up to `to`, or
   * those of them since 2000-01-01. A report covers at most 400 days, none before 2000.
   */
  from?: string;
  /** The last day, included. Without it, today. */
  to?: string;
  /** Only resources of this environment. A key sees its own environment; a session sees both. */
  environment?: 'live' | 'test';
}

/** The query of `analytics.export`: GET /api/v1/analytics/export. */
export interface ExportAnalyticsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /**
   * The first day, in the organization's time zone. Without it, the range is the 30 days up to `to`, or
   * those of them since 2000-01-01. A report covers at most 400 days, none before 2000.
   */
  from?: string;
  /** The last day, included. Without it, today. */
  to?: string;
  report?: 'messages' | 'daily' | 'senders' | 'campaigns';
  /**
   * Only messages that are in this status now. In the other reports `segments` is then empty, because segments
   * are not counted by status. The delivery times are empty too, unless the status is `delivered`.
   */
  status?: MessageStatus;
  /** Only messages from this sender, in any report. A number may have any spelling of a recipient. */
  sender?: string;
  /** Only resources of this environment. A key sees its own environment; a session sees both. */
  environment?: 'live' | 'test';
}

/** The query of `analytics.getSecurityCodes`: GET /api/v1/analytics/security-codes. */
export interface GetSecurityCodeAnalyticsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** The first day, in the organization's time zone. Without it, the range is the 30 days up to `to`. */
  from?: string;
  /** The last day, included. Without it, today. */
  to?: string;
  /** Only resources of this environment. A key sees its own environment; a session sees both. */
  environment?: 'live' | 'test';
}

/** The query of `notifications.list`: GET /api/v1/notifications/. */
export interface ListNotificationsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
  /** If `true`, lists only unread notifications. */
  unread?: boolean;
}

/** The answer to `notifications.list`: GET /api/v1/notifications/. */
export interface ListNotificationsResponse {
  data: Notification[];
  pagination: CursorPagination;
  /** The number of unread notifications on all pages. 1000 means 1000 or more. */
  unreadCount: number;
}

/** The query of `notifications.read`: PATCH /api/v1/notifications/{notificationId}/read. */
export interface ReadNotificationQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The answer to `notifications.readAll`: POST /api/v1/notifications/read-all. */
export interface ReadAllNotificationsResponse {
  read: number;
}

/** The query of `notifications.stream`: GET /api/v1/notifications/stream. */
export interface StreamNotificationsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `apiKeys.list`: GET /api/v1/api-keys/. */
export interface ListApiKeysQuery {
  /** The organization to act for. */
  organizationId: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `apiKeys.list`: GET /api/v1/api-keys/. */
export interface ListApiKeysResponse {
  data: ApiKey[];
  pagination: CursorPagination;
}

/** The query of `apiKeys.revoke`: DELETE /api/v1/api-keys/{keyId}. */
export interface RevokeApiKeyQuery {
  /** The organization to act for. */
  organizationId: string;
}

/** The query of `auditEvents.list`: GET /api/v1/audit-events. */
export interface ListAuditEventsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `auditEvents.list`: GET /api/v1/audit-events. */
export interface ListAuditEventsResponse {
  data: AuditEvent[];
  pagination: CursorPagination;
}

/** The query of `auth.listSecurityEvents`: GET /api/v1/account/security-events. */
export interface ListSecurityEventsQuery {
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The query of `admin.listSecurityEvents`: GET /api/v1/admin/users/{userId}/security-events. */
export interface ListSecurityEventsOfUserQuery {
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The query of `admin.listAuditEvents`: GET /api/v1/admin/audit-events. */
export interface ListAllAuditEventsQuery {
  /** Only events of this organization. */
  organizationId?: string;
  /** Only events of this kind. */
  action?: AuditAction;
  /** Only actions of this user or key, including those while impersonating someone. */
  actorId?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `admin.listAuditEvents`: GET /api/v1/admin/audit-events. */
export interface ListAllAuditEventsResponse {
  data: AuditEvent[];
  pagination: CursorPagination;
}

/** The query of `admin.listOrganizations`: GET /api/v1/admin/organizations. */
export interface ListAllOrganizationsQuery {
  /** Only organizations whose name or slug contains this, in any case. */
  search?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `admin.listOrganizations`: GET /api/v1/admin/organizations. */
export interface ListAllOrganizationsResponse {
  data: AdministeredOrganization[];
  pagination: CursorPagination;
}

/** The query of `admin.listFailedMessages`: GET /api/v1/admin/messages. */
export interface ListFailedMessagesQuery {
  /** Only the messages of this organization. */
  organizationId?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `admin.listFailedMessages`: GET /api/v1/admin/messages. */
export interface ListFailedMessagesResponse {
  data: FailedMessage[];
  pagination: CursorPagination;
}

/** The query of `admin.listRedrives`: GET /api/v1/admin/redrives. */
export interface ListRedrivesQuery {
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `admin.listRedrives`: GET /api/v1/admin/redrives. */
export interface ListRedrivesResponse {
  data: Redrive[];
  pagination: CursorPagination;
}

/** The query of `admin.listSecurityCodeAlarms`: GET /api/v1/admin/security-codes/alarms. */
export interface ListSecurityCodeAlarmsQuery {
  /** Only the alarms of this organization. */
  organizationId?: string;
  /** If `true`, lists only alarms that last; if `false`, only those that have ended. */
  open?: boolean;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `admin.listSecurityCodeAlarms`: GET /api/v1/admin/security-codes/alarms. */
export interface ListSecurityCodeAlarmsResponse {
  data: SecurityCodeAlarm[];
  pagination: CursorPagination;
}

/** The query of `admin.listContentRules`: GET /api/v1/admin/content-rules. */
export interface ListContentRulesQuery {
  /** Only the rules of this organization, without those of the platform. */
  organizationId?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `admin.listContentRules`: GET /api/v1/admin/content-rules. */
export interface ListContentRulesResponse {
  data: ContentRule[];
  pagination: CursorPagination;
}

/** The query of `organizations.listReceivedInvitations`: GET /api/v1/organizations/invitations. */
export interface ListInvitationsQuery {
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `organizations.listReceivedInvitations`: GET /api/v1/organizations/invitations. */
export interface ListInvitationsResponse {
  data: Invitation[];
  pagination: CursorPagination;
}

/** The query of `organizations.getLimits`: GET /api/v1/organizations/limits. */
export interface GetOrganizationLimitsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `webhookDeliveries.list`: GET /api/v1/webhook-deliveries. */
export interface ListWebhookDeliveriesQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** Only resources of this environment. A key sees its own environment; a session sees both. */
  environment?: 'live' | 'test';
  /** Only deliveries in this status; `dead` is the dead-letter queue. */
  status?: 'pending' | 'delivered' | 'retrying' | 'dead';
  /** Only the deliveries of this message. */
  messageId?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `webhookDeliveries.list`: GET /api/v1/webhook-deliveries. */
export interface ListWebhookDeliveriesResponse {
  data: WebhookDelivery[];
  pagination: CursorPagination;
}

/** The query of `webhookDeliveries.get`: GET /api/v1/webhook-deliveries/{deliveryId}. */
export interface GetWebhookDeliveryQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `admin.listWebhookDeliveries`: GET /api/v1/admin/webhook-deliveries. */
export interface ListAllWebhookDeliveriesQuery {
  /** Only items of this organization. */
  organizationId?: string;
  /** Only deliveries in this status; `dead` is the dead-letter queue. */
  status?: 'pending' | 'delivered' | 'retrying' | 'dead';
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `admin.listWebhookDeliveries`: GET /api/v1/admin/webhook-deliveries. */
export interface ListAllWebhookDeliveriesResponse {
  data: WebhookDelivery[];
  pagination: CursorPagination;
}

/** The query of `templates.list`: GET /api/v1/templates/. */
export interface ListTemplatesQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** Only templates with this in their name or content, in any case. */
  search?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `templates.list`: GET /api/v1/templates/. */
export interface ListTemplatesResponse {
  data: Template[];
  pagination: CursorPagination;
}

/** The query of `templates.delete`: DELETE /api/v1/templates/{templateId}. */
export interface DeleteTemplateQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `campaigns.list`: GET /api/v1/campaigns/. */
export interface ListCampaignsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** Only campaigns with this in their name or description, in any case. */
  search?: string;
  /** Only campaigns in this status. */
  status?: CampaignStatus;
  /** The number of the page, from 1. A page after the last one is empty. */
  page?: number;
  /** The number of items per page, 1 to 100. */
  pageSize?: number;
}

/** The answer to `campaigns.list`: GET /api/v1/campaigns/. */
export interface ListCampaignsResponse {
  data: Campaign[];
  pagination: PagePagination;
}

/** The query of `campaigns.delete`: DELETE /api/v1/campaigns/{campaignId}. */
export interface DeleteCampaignQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `senderIds.list`: GET /api/v1/sender-ids. */
export interface ListSenderIdsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** Only sender IDs in this status. */
  status?: SenderIdStatus;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `senderIds.list`: GET /api/v1/sender-ids. */
export interface ListSenderIdsResponse {
  data: SenderId[];
  pagination: CursorPagination;
}

/** The query of `senderIds.delete`: DELETE /api/v1/sender-ids/{senderId}. */
export interface DeleteSenderIdQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `admin.listSenderIds`: GET /api/v1/admin/sender-ids. */
export interface ListAllSenderIdsQuery {
  /** Only sender IDs in this status. */
  status?: SenderIdStatus;
  /** Only sender IDs with this text in their value or in the name of their organization, in any case. */
  search?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `admin.listSenderIds`: GET /api/v1/admin/sender-ids. */
export interface ListAllSenderIdsResponse {
  data: ReviewedSenderId[];
  pagination: CursorPagination;
}

/** The query of `suppressions.list`: GET /api/v1/suppressions. */
export interface ListSuppressionsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** Only this number in any spelling that a recipient may have, or numbers with these digits. */
  search?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `suppressions.list`: GET /api/v1/suppressions. */
export interface ListSuppressionsResponse {
  data: Suppression[];
  pagination: CursorPagination;
}

/** The query of `suppressions.delete`: DELETE /api/v1/suppressions/{suppressionId}. */
export interface UnsuppressNumberQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `privacy.getRetention`: GET /api/v1/privacy/retention. */
export interface GetRetentionQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `privacy.listErasures`: GET /api/v1/privacy/erasures. */
export interface ListErasuresQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `privacy.listErasures`: GET /api/v1/privacy/erasures. */
export interface ListErasuresResponse {
  data: Erasure[];
  pagination: CursorPagination;
}

/** The query of `privacy.getErasure`: GET /api/v1/privacy/erasures/{erasureId}. */
export interface GetErasureQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `privacy.exportPerson`: GET /api/v1/privacy/export. */
export interface ExportPersonQuery {
  /** The number, in any spelling that a recipient may have. */
  phoneNumber: string;
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `privacy.getConsent`: GET /api/v1/privacy/consent. */
export interface GetConsentQuery {
  /** The number, in any spelling that a recipient may have. */
  phoneNumber: string;
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `admin.listErasures`: GET /api/v1/admin/privacy/erasures. */
export interface ListPlatformErasuresQuery {
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `admin.listErasures`: GET /api/v1/admin/privacy/erasures. */
export interface ListPlatformErasuresResponse {
  data: PlatformErasure[];
  pagination: CursorPagination;
}

/** The query of `admin.exportPerson`: GET /api/v1/admin/privacy/export. */
export interface ExportUnroutedPersonQuery {
  /** The number, in any spelling that a recipient may have. */
  phoneNumber: string;
}

/** The query of `inbound.listKeywords`: GET /api/v1/inbound/keywords. */
export interface ListInboundKeywordsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `inbound.listKeywords`: GET /api/v1/inbound/keywords. */
export interface ListInboundKeywordsResponse {
  data: InboundKeyword[];
  pagination: CursorPagination;
}

/** The query of `inbound.deleteKeyword`: DELETE /api/v1/inbound/keywords/{keywordId}. */
export interface DeleteInboundKeywordQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `inbound.listMessages`: GET /api/v1/inbound/messages. */
export interface ListInboundMessagesQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** Only messages in this status. */
  status?: 'received' | 'processing' | 'processed' | 'failed' | 'unmatched';
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `inbound.listMessages`: GET /api/v1/inbound/messages. */
export interface ListInboundMessagesResponse {
  data: InboundMessage[];
  pagination: CursorPagination;
}

/** The query of `inbound.listConversations`: GET /api/v1/inbound/conversations. */
export interface ListInboundConversationsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `inbound.listConversations`: GET /api/v1/inbound/conversations. */
export interface ListInboundConversationsResponse {
  data: InboundMessage[];
  pagination: CursorPagination;
}

/** The query of `inbound.listThread`: GET /api/v1/inbound/messages/{messageId}/thread. */
export interface ListInboundThreadQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `inbound.listThread`: GET /api/v1/inbound/messages/{messageId}/thread. */
export interface ListInboundThreadResponse {
  data: InboundThreadEntry[];
  pagination: CursorPagination;
}

/** The query of `admin.listInboundMessages`: GET /api/v1/admin/inbound/messages. */
export interface ListUnroutedMessagesQuery {
  /** Only messages in this status. */
  status?: 'received' | 'processing' | 'processed' | 'failed' | 'unmatched';
  /** The maximum number of items, 1 to 200. */
  limit?: number;
  /** `pagination.nextCursor` of the previous page. */
  cursor?: string;
}

/** The answer to `admin.listInboundMessages`: GET /api/v1/admin/inbound/messages. */
export interface ListUnroutedMessagesResponse {
  data: InboundMessage[];
  pagination: CursorPagination;
}

/** The answer to `auth.signUp`: POST /api/auth/sign-up/email. */
export interface SignUpResponse {
  token: string | null;
  user: User;
}

/** The answer to `auth.signIn`: POST /api/auth/sign-in/email. */
export interface SignInResponse {
  token: string;
  user: User;
  redirect: boolean;
  url?: string;
}

/** The answer to `auth.signInSocial`: POST /api/auth/sign-in/social. */
export interface SignInSocialResponse {
  redirect: boolean;
  url?: string;
  token?: string;
  user?: User;
}

/** The answer to `auth.signOut`: POST /api/auth/sign-out. */
export interface SignOutResponse {
  success: boolean;
}

/** The query of `auth.getSession`: GET /api/auth/get-session. */
export interface GetSessionQuery {
  disableRefresh?: boolean;
  disableCookieCache?: boolean;
}

/** The answer to `auth.getSession`: GET /api/auth/get-session. */
export type GetSessionResponse = SessionAndUser | null;

/** The answer to `auth.listSessions`: GET /api/auth/list-sessions. */
export type ListSessionsResponse = Session[];

/** The answer to `auth.revokeSession`: POST /api/auth/revoke-session. */
export interface RevokeSessionResponse {
  status: boolean;
}

/** The answer to `auth.revokeSessions`: POST /api/auth/revoke-sessions. */
export interface RevokeSessionsResponse {
  status: boolean;
}

/** The answer to `auth.revokeOtherSessions`: POST /api/auth/revoke-other-sessions. */
export interface RevokeOtherSessionsResponse {
  status: boolean;
}

/** The answer to `auth.sendVerificationEmail`: POST /api/auth/send-verification-email. */
export interface SendVerificationEmailResponse {
  status: boolean;
}

/** The answer to `auth.verifyEmail`: POST /api/auth/verify-email. */
export interface VerifyEmailResponse {
  status: boolean;
  user?: User | null;
}

/** The answer to `auth.requestPasswordReset`: POST /api/auth/request-password-reset. */
export interface RequestPasswordResetResponse {
  status: boolean;
  message: string;
}

/** The answer to `auth.resetPassword`: POST /api/auth/reset-password. */
export interface ResetPasswordResponse {
  status: boolean;
}

/** The answer to `auth.changePassword`: POST /api/auth/change-password. */
export interface ChangePasswordResponse {
  token: string | null;
  user: User;
}

/** The answer to `auth.listPasskeys`: GET /api/auth/passkey/list-user-passkeys. */
export type ListPasskeysResponse = Passkey[];

/** The answer to `auth.removePasskey`: POST /api/auth/passkey/delete-passkey. */
export interface RemovePasskeyResponse {
  status: boolean;
}

/** The answer to `auth.updateUser`: POST /api/auth/update-user. */
export interface UpdateUserResponse {
  status: boolean;
}

/** The answer to `auth.listAccounts`: GET /api/auth/list-accounts. */
export type ListAccountsResponse = Account[];

/** The answer to `auth.linkSocial`: POST /api/auth/link-social. */
export interface LinkSocialResponse {
  redirect: boolean;
  url?: string;
  status?: boolean;
}

/** The answer to `auth.unlinkAccount`: POST /api/auth/unlink-account. */
export interface UnlinkAccountResponse {
  status: boolean;
}

/** The answer to `organizations.setActive`: POST /api/auth/organization/set-active. */
export type SetActiveOrganizationResponse = Organization | null;

/** The answer to `organizations.list`: GET /api/auth/organization/list. */
export type ListOrganizationsResponse = Organization[];

/** The answer to `organizations.checkSlug`: POST /api/auth/organization/check-slug. */
export interface CheckOrganizationSlugResponse {
  status: boolean;
}

/** The query of `organizations.getFull`: GET /api/auth/organization/get-full-organization. */
export interface GetFullOrganizationQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The query of `organizations.listMembers`: GET /api/auth/organization/list-members. */
export interface ListMembersQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  limit?: number;
  offset?: number;
}

/** The answer to `organizations.listMembers`: GET /api/auth/organization/list-members. */
export interface ListMembersResponse {
  members: MemberWithUser[];
  total: number;
}

/** The query of `organizations.getActiveMemberRole`: GET /api/auth/organization/get-active-member-role. */
export interface GetActiveMemberRoleQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
  userId?: string;
}

/** The answer to `organizations.getActiveMemberRole`: GET /api/auth/organization/get-active-member-role. */
export interface GetActiveMemberRoleResponse {
  role: MemberRole;
}

/** The answer to `organizations.removeMember`: POST /api/auth/organization/remove-member. */
export interface RemoveMemberResponse {
  member: MemberWithUser;
}

/** The answer to `organizations.acceptInvitation`: POST /api/auth/organization/accept-invitation. */
export interface AcceptInvitationResponse {
  invitation: Invitation;
  member: Member;
}

/** The answer to `organizations.rejectInvitation`: POST /api/auth/organization/reject-invitation. */
export interface RejectInvitationResponse {
  invitation: Invitation;
  member: null;
}

/** The query of `organizations.getInvitation`: GET /api/auth/organization/get-invitation. */
export interface GetInvitationQuery {
  id: string;
}

/** The query of `organizations.listInvitations`: GET /api/auth/organization/list-invitations. */
export interface ListOrganizationInvitationsQuery {
  /** The organization to act for. The default is the organization of the key. */
  organizationId?: string;
}

/** The answer to `organizations.listInvitations`: GET /api/auth/organization/list-invitations. */
export type ListOrganizationInvitationsResponse = Invitation[];

/** The answer to `organizations.listUserInvitations`: GET /api/auth/organization/list-user-invitations. */
export type ListUserInvitationsResponse = InvitationWithNames[];

/** The query of `admin.listUsers`: GET /api/auth/admin/list-users. */
export interface ListUsersQuery {
  searchValue?: string;
  /** The default is `email`. The search in `name` distinguishes upper and lower case. */
  searchField?: 'email' | 'name';
  searchOperator?: 'contains' | 'starts_with' | 'ends_with';
  limit?: number;
  offset?: number;
}

/** The answer to `admin.listUsers`: GET /api/auth/admin/list-users. */
export interface ListUsersResponse {
  users: User[];
  total: number;
  limit?: number;
  offset?: number;
}

/** The query of `admin.getUser`: GET /api/auth/admin/get-user. */
export interface GetUserQuery {
  id: string;
}

/** The answer to `admin.createUser`: POST /api/auth/admin/create-user. */
export interface CreateUserResponse {
  user: User;
}

/** The answer to `admin.setRole`: POST /api/auth/admin/set-role. */
export interface SetUserRoleResponse {
  user: User;
}

/** The answer to `admin.banUser`: POST /api/auth/admin/ban-user. */
export interface BanUserResponse {
  user: User;
}

/** The answer to `admin.unbanUser`: POST /api/auth/admin/unban-user. */
export interface UnbanUserResponse {
  user: User;
}

/** The answer to `admin.impersonateUser`: POST /api/auth/admin/impersonate-user. */
export interface ImpersonateUserResponse {
  session: Session;
  user: User;
}

/** The answer to `admin.stopImpersonating`: POST /api/auth/admin/stop-impersonating. */
export interface StopImpersonatingResponse {
  session?: Session;
  /** The administrator. */
  user: User;
}

/** The answer to `admin.listUserSessions`: POST /api/auth/admin/list-user-sessions. */
export interface ListUserSessionsResponse {
  sessions: Session[];
}

/** The answer to `admin.revokeUserSession`: POST /api/auth/admin/revoke-user-session. */
export interface RevokeUserSessionResponse {
  success: boolean;
}

/** The answer to `admin.resetTwoFactor`: POST /api/auth/admin/reset-two-factor. */
export interface ResetTwoFactorResponse {
  success: boolean;
}

/** The answer to `admin.revokeUserSessions`: POST /api/auth/admin/revoke-user-sessions. */
export interface RevokeUserSessionsResponse {
  success: boolean;
}
