/**
 * Converts a response of better-auth to the records of specification section 2: a field without a value is left out,
 * because none of them may be null; `metadata` of an organization is a string; an account has `scope`. Dates are
 * already ISO 8601 with milliseconds, the format of JSON.
 */
export function toAccountRecords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toAccountRecords);
  if (typeof value !== 'object' || value === null) return value;
  const record: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) {
    if (optionalFields.has(name) && (inner === null || inner === undefined)) continue;
    if (name === 'metadata') record[name] = typeof inner === 'string' ? inner : JSON.stringify(inner);
    else if (name === 'scopes' && Array.isArray(inner)) record['scope'] = inner.join(' ');
    else record[name] = toAccountRecords(inner);
  }
  return record;
}

const optionalFields = new Set([
  ...['image', 'role', 'banReason', 'banExpires'],
  ...['ipAddress', 'userAgent', 'impersonatedBy', 'activeOrganizationId'],
  ...['accessToken', 'refreshToken', 'idToken', 'accessTokenExpiresAt', 'refreshTokenExpiresAt', 'scope'],
  ...['logo', 'metadata'],
]);
