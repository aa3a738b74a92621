const dayMs = 86_400_000;

/** How many days a report has without a choice. */
export const defaultDays = 30;

/** The days up to today, and the environment, of a report. */
export interface ReportFilters {
  days?: number;
  environment?: 'live' | 'test';
}

/**
 * Returns the function that reads the filters of a report from the address of its page. What the report does not offer
 * is left out.
 *
 * @param rangesDays the numbers of days that the report offers
 */
export function readReportFilters(
  rangesDays: readonly number[],
): (search: Record<string, unknown>) => ReportFilters {
  return (search) => {
    const days = rangesDays.find((value) => value === search['days']);
    const environment = (['live', 'test'] as const).find((value) => value === search['environment']);
    return { ...(days && { days }), ...(environment && { environment }) };
  };
}

/** The first day of a report of some days up to today. The API counts days in the organization's zone. */
export function firstDayOf({ days = defaultDays }: ReportFilters): string {
  return new Date(Date.now() - (days - 1) * dayMs).toISOString().slice(0, 10);
}
