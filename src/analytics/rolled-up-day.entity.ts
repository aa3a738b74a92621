import { defineEntity, p } from '@mikro-orm/core';
import { ofOrganizationId } from '../organizations/organization-scope.ts';

/**
 * A day whose counts are also stored as one sum, in `message_day_counts` and `delivery_time_day_counts`. The sums are
 * exactly those of the folded counts of its slots; `rollUpDays` makes them, and the fold deletes a day that it changes.
 *
 * A day is a range of slots, not a date: whoever reads a day finds it only by both ends, so that a sum which was made
 * for another time zone is never taken for it.
 */
export const RolledUpDay = defineEntity({
  name: 'RolledUpDay',
  tableName: 'rolled_up_days',
  ...ofOrganizationId,
  properties: {
    organizationId: p.uuid().primary(),
    firstSlot: p.datetime(3).primary(),
    /** The first slot of the next day. */
    nextSlot: p.datetime(3),
  },
  checks: [
    {
      // The statements that look for the day of a slot search no further back.
      name: 'rolled_up_days_length_check',
      expression: `next_slot > first_slot and next_slot - first_slot <= '48:00:00'::interval`,
    },
  ],
});
