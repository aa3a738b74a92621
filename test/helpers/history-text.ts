/**
 * Returns all text of a history or another response of Temporal: every string, and all bytes (payloads) read as text.
 * Numbers are omitted, because they are times and counters: a time may contain the digits of a phone number.
 */
export function textOf(value: unknown): string {
  return stringsOf(value).join('\n');
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  // Bytes from outside the test's realm have a different Uint8Array class.
  if (ArrayBuffer.isView(value)) return [Buffer.from(value as Uint8Array).toString()];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsOf(inner)]);
}
