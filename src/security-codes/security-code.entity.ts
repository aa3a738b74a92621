import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Message } from '../messages/message.entity.ts';
import { ofOrganizationAndEnvironment } from '../organizations/organization-scope.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { environments } from '../principal.ts';
import { codeStatuses } from './code-status.ts';

/** A one-time code that was sent, and its status. Its id is the `verificationId` of the API. */
export const SecurityCode = defineEntity({
  name: 'SecurityCode',
  tableName: 'security_codes',
  ...ofOrganizationAndEnvironment,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    environment: p.enum(environments),
    purpose: p.string().columnType('text'),
    recipient: p.string().columnType('text'),
    /** The hash that code.ts computes. The code itself is never stored. */
    codeHash: p.blob(),
    status: p.enum(codeStatuses),
    /** The number of wrong guesses. */
    attempts: p.smallint().default(0),
    maxAttempts: p.smallint(),
    message: () => p.manyToOne(Message).deleteRule('cascade'),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3),
    verifiedAt: p.datetime(3).strictNullable(),
    dispatchId: p.uuid().strictNullable(),
    /** When its workflow must next act: at the expiry while the code is pending; null otherwise. */
    dueAt: p.datetime(3).strictNullable(),
  },
  uniques: [
    {
      name: 'security_codes_pending_unique',
      properties: ['organization', 'environment', 'recipient', 'purpose'],
      where: `status = 'pending'`,
    },
  ],
  indexes: [
    {
      name: 'security_codes_recent',
      properties: ['organization', 'environment', 'recipient', 'createdAt'],
    },
    { name: 'security_codes_live', properties: ['createdAt'], where: `environment = 'live'` },
    { name: 'security_codes_of_days', properties: ['organization', 'environment', 'createdAt'] },
    {
      name: 'security_codes_unclaimed',
      properties: ['id'],
      where: `dispatch_id is null and status = 'pending'`,
    },
    { name: 'security_codes_dispatch', properties: ['dispatchId', 'dueAt'] },
    { name: 'security_codes_message', properties: ['message'] },
  ],
});

export type SecurityCode = InferEntity<typeof SecurityCode>;
