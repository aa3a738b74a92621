/** The ILIKE pattern that finds a text at any position, with its wildcards escaped. */
export function containing(text: string): string {
  return `%${withoutWildcards(text)}%`;
}

/** The part of a pattern for LIKE or ILIKE that stands for a text as it is. */
export function withoutWildcards(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}
