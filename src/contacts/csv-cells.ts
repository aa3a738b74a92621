/**
 * What spreadsheets take for a formula (OWASP, CSV Injection): the first character that is no apostrophe is one of
 * these. The full-width ones are for spreadsheets set to Chinese or Japanese.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** A number is none, whatever its sign: `+251911234567` and `-5` stay as they are. */
const plainNumber = /^[+-]?\d+([.,]\d+)?$/;

/**
 * Takes the danger out of a text that a spreadsheet would run, by an apostrophe in front. Texts that already begin
 * with apostrophes before such a character get one more, so that `restoreCell` always gives the text back.
 */
export function neutraliseCell(text: string): string {
  return formula.test(text) && !plainNumber.test(text) ? `'${text}` : text;
}

/** Takes off the apostrophe that `neutraliseCell` puts on; every other text is itself: `'t Hooft`. */
export function restoreCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}

/** Writes tags into one cell, with `;` between; a backslash is before what would separate within a tag. */
export function joinTags(tags: readonly string[]): string {
  return tags.map((tag) => tag.replace(/[\\;,]/g, '\\$&')).join(';');
}

/** Reads the tags of a cell, separated by `;` or `,`. Spaces around tags, and empty ones, are left out. */
export function splitTags(cell: string): string[] {
  const tags = [''];
  for (const [part] of cell.matchAll(/\\[\\;,]|[^]/gu)) {
    if (part === ';' || part === ',') tags.push('');
    else tags[tags.length - 1] += part.length === 2 && part.startsWith('\\') ? part.slice(1) : part;
  }
  return tags.map((tag) => tag.trim()).filter((tag) => tag !== '');
}
