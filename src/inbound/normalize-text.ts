/**
 * Brings a text to the form in which texts and keywords are compared (contract section 6): without case, without
 * space around it, and in one Unicode form. NFKC makes one of what only looks different: composed and decomposed
 * letters, full-width ones, ligatures. Runs of space count as one space, and characters that nobody sees, such as
 * marks of direction, not at all.
 *
 * Upper case first, for some letters have several small forms (ß and ss, σ and ς) that meet only there.
 */
export function normalizeText(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .trim();
}
