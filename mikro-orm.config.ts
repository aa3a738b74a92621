import { fileURLToPath } from 'node:url';
import { Migrator } from '@mikro-orm/migrations';
import { defineConfig, type Options } from '@mikro-orm/postgresql';
import { Account } from './src/auth/account.entity.ts';
import { Session } from './src/auth/sessions/session.entity.ts';
import { KnownDevice } from './src/auth/sessions/known-device.entity.ts';
import { Passkey } from './src/auth/passkeys/passkey.entity.ts';
import { SecurityEvent } from './src/auth/security-events/security-event.entity.ts';
import { RecoveryCode } from './src/auth/two-factor/recovery-code.entity.ts';
import { TwoFactor } from './src/auth/two-factor/two-factor.entity.ts';
import { User } from './src/auth/user.entity.ts';
import { Verification } from './src/auth/verification.entity.ts';
import { DeliveryTimeCount } from './src/analytics/delivery-time-count.entity.ts';
import { DeliveryTimeDayCount } from './src/analytics/delivery-time-day-count.entity.ts';
import { DeliveryTimeDelta } from './src/analytics/delivery-time-delta.entity.ts';
import { MessageCountDelta } from './src/analytics/message-count-delta.entity.ts';
import { MessageCount } from './src/analytics/message-count.entity.ts';
import { MessageDayCount } from './src/analytics/message-day-count.entity.ts';
import { RollUpProgress } from './src/analytics/roll-up-progress.entity.ts';
import { RolledUpDay } from './src/analytics/rolled-up-day.entity.ts';
import { AuditEvent } from './src/audit/audit-event.entity.ts';
import { ApiKey } from './src/api-keys/api-key.entity.ts';
import { Campaign } from './src/campaigns/campaign.entity.ts';
import { BulkBatch } from './src/bulk-sms/bulk-batch.entity.ts';
import { BulkRecipient } from './src/bulk-sms/bulk-recipient.entity.ts';
import { SendingRate } from './src/bulk-sms/run-batch/sending-rate.entity.ts';
import { ContentRule } from './src/content-rules/content-rule.entity.ts';
import { loadDatabaseConfig } from './src/config.ts';
import { ContactImportChunk } from './src/contacts/import/contact-import-chunk.entity.ts';
import { ContactImportNumber } from './src/contacts/import/contact-import-number.entity.ts';
import { ContactImportReject } from './src/contacts/import/contact-import-reject.entity.ts';
import { ContactImport } from './src/contacts/import/contact-import.entity.ts';
import { Contact } from './src/contacts/contact.entity.ts';
import { Dispatch } from './src/dispatches/dispatch.entity.ts';
import { IdempotencyKey } from './src/idempotency/idempotency-key.entity.ts';
import { InboundKeyword } from './src/inbound/keywords/inbound-keyword.entity.ts';
import { InboundMessage } from './src/inbound/inbound-message.entity.ts';
import { MessageEvent } from './src/messages/timeline/message-event.entity.ts';
import { Message } from './src/messages/message.entity.ts';
import { Invitation } from './src/organizations/invitation.entity.ts';
import { Notification } from './src/notifications/notification.entity.ts';
import { Member } from './src/organizations/member.entity.ts';
import { Organization } from './src/organizations/organization.entity.ts';
import { PhonebookMember } from './src/phonebooks/phonebook-member.entity.ts';
import { Phonebook } from './src/phonebooks/phonebook.entity.ts';
import { PreparingClient } from './src/prepared-statements.ts';
import { RateLimitCounter } from './src/rate-limits/rate-limit-counter.entity.ts';
import { ScheduleRun } from './src/schedules/schedule-run.entity.ts';
import { MessageSchedule } from './src/schedules/schedule.entity.ts';
import { SecurityCode } from './src/security-codes/security-code.entity.ts';
import { SecurityCodeAlarm } from './src/security-codes/watch/security-code-alarm.entity.ts';
import { SecurityCodeCount } from './src/security-codes/watch/security-code-count.entity.ts';
import { SecurityCodeWatch } from './src/security-codes/watch/security-code-watch.entity.ts';
import { Redrive } from './src/redrives/redrive.entity.ts';
import { SenderId } from './src/sender-ids/sender-id.entity.ts';
import { SendingControls } from './src/sending-controls/sending-controls.entity.ts';
import { SendingCount } from './src/sending-controls/sending-count.entity.ts';
import { Erasure } from './src/privacy/erasure.entity.ts';
import { NumberHashKey } from './src/privacy/number-hash-key.entity.ts';
import { RetentionRules } from './src/privacy/retention-rules.entity.ts';
import { ConsentEvent } from './src/suppressions/consent-event.entity.ts';
import { ErasedOptOut } from './src/suppressions/erased-opt-out.entity.ts';
import { Suppression } from './src/suppressions/suppression.entity.ts';
import { Template } from './src/templates/template.entity.ts';
import { WebhookAttempt } from './src/webhooks/attempts/webhook-attempt.entity.ts';
import { WebhookDelivery } from './src/webhooks/webhook-delivery.entity.ts';

/** Every entity of the service. One that is missing here has no table: test/migrations.test.ts compares both. */
export const entities = [
  Organization,
  User,
  Session,
  Account,
  Verification,
  TwoFactor,
  RecoveryCode,
  KnownDevice,
  SecurityEvent,
  Passkey,
  Member,
  Invitation,
  ApiKey,
  SenderId,
  SendingControls,
  ContentRule,
  SendingCount,
  Template,
  Campaign,
  Suppression,
  ErasedOptOut,
  ConsentEvent,
  RetentionRules,
  Erasure,
  NumberHashKey,
  Dispatch,
  Message,
  MessageEvent,
  MessageCount,
  MessageCountDelta,
  DeliveryTimeCount,
  DeliveryTimeDelta,
  RolledUpDay,
  MessageDayCount,
  DeliveryTimeDayCount,
  RollUpProgress,
  WebhookDelivery,
  WebhookAttempt,
  MessageSchedule,
  ScheduleRun,
  AuditEvent,
  Notification,
  RateLimitCounter,
  IdempotencyKey,
  SecurityCode,
  SecurityCodeAlarm,
  SecurityCodeCount,
  SecurityCodeWatch,
  Redrive,
  Contact,
  ContactImport,
  ContactImportChunk,
  ContactImportNumber,
  ContactImportReject,
  Phonebook,
  PhonebookMember,
  BulkBatch,
  BulkRecipient,
  SendingRate,
  InboundKeyword,
  InboundMessage,
];

/** MikroORM's options for one database; the commands of @mikro-orm/cli read DATABASE_URL through it too. */
export function databaseOptions(url: string, poolSize: number): Options {
  return defineConfig({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    logger: () => undefined,
    migrations: {
      path: fileURLToPath(new URL('./migrations', import.meta.url)),
      glob: 'Migration*.ts',
      snapshot: false,
      transactional: true,
      allOrNothing: true,
    },
    driverOptions: {
      Client: PreparingClient,
      // MikroORM takes host, user and database from the URL, and drops the rest: a connection with
      // `sslmode=verify-full` would be in clear text.
      connectionString: url,
      // A connection keeps the plans of its prepared statements. One that was made while a table was small does not stay.
      maxLifetimeSeconds: 60,
    },
    forceUtcTimezone: true,
    pool: { min: 0, max: poolSize },
    // A filter is asked of the entity that is queried; joined with that of each relation, every list would join
    // the tables it never reads.
    autoJoinRefsForFilters: false,
    discovery: { checkDuplicateTableNames: true },
  });
}

/** For the commands of @mikro-orm/cli. */
export default (): Options => databaseOptions(loadDatabaseConfig().DATABASE_URL, 2);
