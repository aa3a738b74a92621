import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';
import type { MergeValues } from '../templates/merge-fields.ts';

/** Why a recipient gets no text: the error code of the failed message that is created instead. */
export const recipientRefusals = ['recipient_opted_out', 'duplicate_recipient', 'invalid_recipient'] as const;

/** A recipient of a batch, as the contact was when sending started. */
export const BulkRecipient = defineEntity({
  name: 'BulkRecipient',
  tableName: 'bulk_recipients',
  ...ofOrganizationId,
  properties: {
    // No foreign key: a batch may have a hundred thousand rows, and batches are never deleted.
    batchId: p.uuid().primary(),
    /** From 1, without gaps. */
    position: p.integer().primary(),
    organizationId: p.uuid(),
    contactId: p.uuid(),
    recipient: p.string().columnType('text'),
    /** The fields that the text uses. */
    fields: p.json<MergeValues>().columnType('jsonb').strictNullable(),
    refusal: p.enum(recipientRefusals).strictNullable(),
    /** Null until the recipient's message is created. */
    messageId: p.uuid().strictNullable(),
  },
});
