const defaultTimezone = 'Africa/Addis_Ababa';

/** The zone of an organization, as analytics and schedules use it. */
export function organizationTimezone(metadata: string | undefined): string {
  const { timezone } = readMetadata(metadata);
  return typeof timezone === 'string' ? timezone : defaultTimezone;
}

/** The metadata with another time zone. What programs keep in them stays. */
export function withTimezone(metadata: string | undefined, timezone: string): string {
  return JSON.stringify({ ...readMetadata(metadata), timezone });
}

function readMetadata(metadata: string | undefined): { timezone?: unknown } {
  try {
    return (JSON.parse(metadata ?? '{}') ?? {}) as { timezone?: unknown };
  } catch {
    return {};
  }
}
