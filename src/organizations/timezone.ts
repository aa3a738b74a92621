import { sql } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import { Organization } from './organization.entity.ts';
import type { ScopedEntityManager } from './organization-scope.ts';

/** The time zone of organizations that set none. */
export const defaultTimezone = 'Africa/Addis_Ababa';

/** Returns an IANA name in the spelling of the time zone database; aliases are kept. null for an unknown name. */
export function findTimezone(name: string): string | null {
  try {
    // Intl checks that the text is a name, because Temporal also accepts offsets and whole dates with a zone.
    if (!/^[A-Za-z]/.test(name)) return null;
    new Intl.DateTimeFormat('en', { timeZone: name }).format();
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return null;
  }
}

/** The time zone of an organization: `timezone` of its metadata, or the default. */
export async function findOrganizationTimezone(em: ScopedEntityManager, id: string): Promise<string> {
  const { metadata } = await em.findOneOrFail(Organization, { id }, { fields: ['metadata'] });
  if (metadata === null) return defaultTimezone;
  return timezoneOf(((JSON.parse(metadata) ?? {}) as { timezone?: unknown }).timezone);
}

/** The time zone that a setting in the metadata of an organization means: the default, unless it is a known name. */
export function timezoneOf(setting: unknown): string {
  return (typeof setting === 'string' ? findTimezone(setting) : null) ?? defaultTimezone;
}

/** The setting itself, in a statement that reads `organizations`: null for none. */
export const timezoneSetting = sql<string | null>`
  case when organizations.metadata is json object then organizations.metadata::json ->> 'timezone' end`;
