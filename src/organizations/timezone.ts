import { Temporal } from 'temporal-polyfill';
import { Organization } from './organization.entity.ts';
import type { ScopedEntityManager } from './organization-scope.ts';

/** Of organizations that set none (contract section 4). */
export const defaultTimezone = 'Africa/Addis_Ababa';

/** An IANA name as the database of time zones writes it, an alias staying what it is; null for what is none. */
export function findTimezone(name: string): string | null {
  try {
    // Intl says whether it is a name, for Temporal takes whole dates with a zone as well; neither offsets nor those are.
    if (!/^[A-Za-z]/.test(name)) return null;
    new Intl.DateTimeFormat('en', { timeZone: name }).format();
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return null;
  }
}

/** The time zone of an organization: `timezone` of its metadata, else the default. */
export async function findOrganizationTimezone(em: ScopedEntityManager, id: string): Promise<string> {
  const { metadata } = await em.findOneOrFail(Organization, { id }, { fields: ['metadata'] });
  if (metadata === null) return defaultTimezone;
  const { timezone } = (JSON.parse(metadata) ?? {}) as { timezone?: unknown };
  return (typeof timezone === 'string' ? findTimezone(timezone) : null) ?? defaultTimezone;
}
