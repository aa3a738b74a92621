/** Typographic characters, which word processors write by themselves, and the plain ones that read the same. */
const plainCharacters: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '‚': ',',
  '‛': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '...',
  '•': '-',
  '\u00a0': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  '\u200b': '',
  '\t': ' ',
  '`': "'",
  '´': "'",
};

const pattern = new RegExp(`[${Object.keys(plainCharacters).join('')}]`, 'gu');

/** Replaces typographic characters, which force Unicode, by plain ones that read the same. */
export function replaceTypography(text: string): string {
  return text.replace(pattern, (character) => plainCharacters[character] ?? character);
}
