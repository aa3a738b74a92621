/**
 * The characters that spreadsheets treat as the beginning of a formula (OWASP, CSV Injection). The full-width ones
 * apply in Chinese and Japanese.
 */
const sign = '[=+\\-@＝＋－＠]';

/**
 * The characters after which a spreadsheet may begin a new cell. Spreadsheets do not always use the separator of RFC
 * 4180, and their imports let the user choose one.
 */
const separator = '[,;|\\t"\\r\\n]';

/** A number with a sign is not a formula: `+251911234567`, `-5` and, in JSON, `[1,-5]` stay unchanged. */
const plainNumber = `[+-]?\\d+(?:[.,]\\d+)?(?:${separator}|[\\]}]|$)`;

/**
 * The positions where a formula would begin, ignoring apostrophes. At the beginning of a text, this includes a tab or
 * a line break: some spreadsheets remove them before they look for a formula.
 */
const beginnings = [`^(?='*[\\t\\r\\n])`, `(?<=^|${separator})(?='*${sign})(?!${plainNumber})`].join('|');
const neutralised = [`^'(?='*[\\t\\r\\n])`, `(?<=^|${separator})'(?='*${sign})`].join('|');

const beginning = new RegExp(beginnings, 'g');
const neutralisingApostrophe = new RegExp(neutralised, 'g');

/**
 * Neutralises a text that a spreadsheet would run: it puts an apostrophe before each formula. A formula that already
 * has apostrophes gets one more, so that `restoreCell` always restores the original text.
 */
export function neutraliseCell(text: string): string {
  return text.replace(beginning, "'");
}

/** Removes the apostrophes that `neutraliseCell` adds. Every other text stays unchanged: `'t Hooft`. */
export function restoreCell(cell: string): string {
  return cell.replace(neutralisingApostrophe, '');
}
