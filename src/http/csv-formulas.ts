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

/** A number is not a formula, with or without a sign, if it is the whole cell: `+251911234567`, `-5`. */
const number = '[+-]?\\d+(?:[.,]\\d+)?';

/**
 * The positions where a formula would begin, ignoring apostrophes. At the beginning of a text, this includes a tab or
 * a line break: some spreadsheets remove them before they look for a formula.
 *
 * A cell that begins after a separator ends at the next separator of the same kind, so a number before it is the whole
 * cell. JSON therefore stays unchanged: `[1,-5]`. A quote inside a cell (`{"phone":"+251911234567"}`) opens no cell.
 */
const beginnings = [
  `^(?='*[\\t\\r\\n])`,
  `^(?='*${sign})(?!${number}$)`,
  `(?<=(?<separator>[,;|\\t\\r\\n]))(?='*${sign})(?!${number}[\\]}]*(?:\\k<separator>|$))`,
  `(?<=")(?='*${sign})(?!(?<=[^,;|\\t"\\r\\n]")${number}")`,
].join('|');
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
