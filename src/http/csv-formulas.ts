/** What spreadsheets take for the beginning of a formula (OWASP, CSV Injection); the full-width ones in Chinese and Japanese. */
const sign = '[=+\\-@＝＋－＠]';

/** After these a spreadsheet may begin a cell: it need not separate as RFC 4180 does, and imports let the user choose. */
const separator = '[,;|\\t"\\r\\n]';

/** A number is not a formula, whatever its sign, as long as it is the whole cell: `+251911234567`, `-5`. */
const number = '[+-]?\\d+(?:[.,]\\d+)?';

/**
 * Where a formula would begin, apostrophes aside. At the beginning of a text that is also a tab or a line break, which
 * some spreadsheets take off before they look.
 *
 * A cell that begins after a separator ends at the next one of the same, so a number is all of it where that follows.
 * Thus JSON stays JSON: `[1,-5]`. A quote that stands within a cell (`{"phone":"+251911234567"}`) opens none.
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
 * Takes the danger out of a text that a spreadsheet would run, by an apostrophe before each formula in it. What already
 * has apostrophes there gets one more, so that `restoreCell` always gives the text back.
 */
export function neutraliseCell(text: string): string {
  return text.replace(beginning, "'");
}

/** Takes off the apostrophes that `neutraliseCell` puts on; every other text is itself: `'t Hooft`. */
export function restoreCell(cell: string): string {
  return cell.replace(neutralisingApostrophe, '');
}
