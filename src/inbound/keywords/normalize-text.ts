/**
 * Converts a text to the form in which texts and keywords are compared: without case, without
 * leading and trailing space, and in one Unicode form. NFKC unifies different encodings of the same letters: composed
 * and decomposed letters, full-width letters and ligatures. A run of spaces becomes one space. Invisible characters,
 * for example direction marks, are removed.
 *
 * The text is converted to upper case first, because some letters have several lower-case forms (ß and ss, σ and ς)
 * that are equal only in upper case.
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
