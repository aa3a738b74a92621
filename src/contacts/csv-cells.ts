/** Writes the value of a custom field into a cell: text as it is, anything else as JSON; null is an empty cell. */
export function customCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Writes tags into one cell, separated by `;`. A separator within a tag is escaped with a backslash. */
export function joinTags(tags: readonly string[]): string {
  return tags.map((tag) => tag.replace(/[\\;,]/g, '\\$&')).join(';');
}

/** Reads the tags of a cell, separated by `;` or `,`. Spaces around tags, and empty tags, are left out. */
export function splitTags(cell: string): string[] {
  const tags = [''];
  for (const [part] of cell.matchAll(/\\[\\;,]|[^]/gu)) {
    if (part === ';' || part === ',') tags.push('');
    else tags[tags.length - 1] += part.length === 2 && part.startsWith('\\') ? part.slice(1) : part;
  }
  return tags.map((tag) => tag.trim()).filter((tag) => tag !== '');
}
