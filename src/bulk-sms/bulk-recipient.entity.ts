import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';
import type { MergeValues } from '../templates/merge-fields.ts';

/** Why a recipient gets no message: the error code of the failed one that is made for it instead. */
export const recipientRefusals = ['recipient_opted_out', 'duplicate_recipient', 'invalid_recipient'] as const;

/** One to whom a batch goes, as the contact was when sending started. */
export const BulkRecipient = defineEntity({
  name: 'BulkRecipient',
  tableName: 'bulk_recipients',
  ...ofOrganizationId,
  properties: {
    // No foreign key: there may be a hundred thousand rows of a batch, and no batch is ever deleted.
    batchId: p.uuid().primary(),
    /** From 1, without gaps. */
    position: p.integer().primary(),
    organizationId: p.uuid(),
    contactId: p.uuid(),
    recipient: p.string().columnType('text'),
    /** Those fields that the text uses. */
    fields: p.json<MergeValues>().columnType('jsonb').strictNullable(),
    refusal: p.enum(recipientRefusals).strictNullable(),
    /** Null until its message is made. */
    messageId: p.uuid().strictNullable(),
  },
});
