/** The rules by which the service computes when a schedule runs: what is listed is what happens. */
export { listOccurrences, recurrenceUnits, type Timetable } from '../../../../src/schedules/recurrence.ts';
