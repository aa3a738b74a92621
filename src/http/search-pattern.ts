/** The pattern for ILIKE that finds a text anywhere, with nothing in it a wildcard. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
}
