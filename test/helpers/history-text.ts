/**
 * What a history, or another answer of Temporal, says: every string in it, and its bytes, which payloads are, read as
 * text. Numbers are left out, for they are the clock's and counters': a moment may have the digits of a phone number.
 */
export function textOf(value: unknown): string {
  return stringsOf(value).join('\n');
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  // Bytes made outside of the test's realm are of another Uint8Array than its own.
  if (ArrayBuffer.isView(value)) return [Buffer.from(value as Uint8Array).toString()];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsOf(inner)]);
}
