import type { Loaded } from '@mikro-orm/core';
import type { Schemas } from '../../http/contract/contract-types.ts';
import type { SecurityCodeAlarm } from './security-code-alarm.entity.ts';

export type SecurityCodeAlarmRecord = Schemas['SecurityCodeAlarm'];

/** Returns an alarm as the API shows it at a moment: the worker notices the end of an alarm up to a minute later. */
export function toAlarmRecord(
  alarm: Loaded<SecurityCodeAlarm, 'organization'>,
  at: Date,
): SecurityCodeAlarmRecord {
  const { id, organization, prefix, holds, codes, verified, raisedAt, endsAt, releasedBy } = alarm;
  const endedAt = alarm.endedAt ?? (endsAt <= at ? endsAt : null);
  return {
    ...{ id, organizationId: organization.id, organizationName: organization.name },
    ...{ prefix, holds, codes, verified },
    raisedAt: raisedAt.toISOString(),
    endsAt: endsAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    releasedBy,
  };
}
