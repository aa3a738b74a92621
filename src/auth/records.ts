/**
 * Converts a response of better-auth to the records of specification section 2: a field without a value is left out,
 * because none of them may be null; `metadata` of an organization is a string; an account has `scope`; a ban that has
 * expired is none, although better-auth removes it only after the next sign-in. Dates are already ISO 8601 with
 * milliseconds, the format of JSON.
 */
export function toAccountRecords(value: unknown, now: Date): unknown {
  if (Array.isArray(value)) return value.map((item) => toAccountRecords(item, now));
  if (typeof value !== 'object' || value === null) return value;
  const record: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(withoutExpiredBan(value, now))) {
    if (optionalFields.has(name) && (inner === null || inner === undefined)) continue;
    if (name === 'metadata') record[name] = typeof inner === 'string' ? inner : JSON.stringify(inner);
    else if (name === 'scopes' && Array.isArray(inner)) record['scope'] = inner.join(' ');
    else record[name] = toAccountRecords(inner, now);
  }
  return record;
}

function withoutExpiredBan(record: { banExpires?: unknown }, now: Date): object {
  const { banExpires } = record;
  if (typeof banExpires !== 'string' || new Date(banExpires) > now) return record;
  return { ...record, banned: false, banReason: null, banExpires: null };
}

const optionalFields = new Set([
  ...['image', 'role', 'banReason', 'banExpires'],
  ...['ipAddress', 'userAgent', 'impersonatedBy', 'activeOrganizationId'],
  ...['accessToken', 'refreshToken', 'idToken', 'accessTokenExpiresAt', 'refreshTokenExpiresAt', 'scope'],
  ...['logo', 'metadata'],
]);
