import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { Organization } from '../../organizations/organization.entity.ts';
import { ofOrganization } from '../../organizations/organization-scope.ts';

/**
 * An alarm: few of the live codes of an organization to a prefix were verified. While one that holds lasts, codes to the
 * prefix are refused.
 */
export const SecurityCodeAlarm = defineEntity({
  name: 'SecurityCodeAlarm',
  tableName: 'security_code_alarms',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    /** What `destinationPrefix` returns. */
    prefix: p.string().columnType('text'),
    holds: p.boolean(),
    codes: p.integer(),
    verified: p.integer(),
    raisedAt: p.datetime(3),
    endsAt: p.datetime(3),
    /** Null while the alarm lasts, and until the worker has noticed its end. */
    endedAt: p.datetime(3).strictNullable(),
    /** The administrator who ended the alarm before its time. */
    releasedBy: p.uuid().strictNullable(),
  },
  uniques: [
    {
      name: 'security_code_alarms_open_unique',
      properties: ['organization', 'prefix'],
      where: 'ended_at is null',
    },
  ],
  indexes: [
    { name: 'security_code_alarms_of_organization', properties: ['organization', 'id'] },
    { name: 'security_code_alarms_ended', properties: ['endedAt'] },
  ],
});

export type SecurityCodeAlarm = InferEntity<typeof SecurityCodeAlarm>;
