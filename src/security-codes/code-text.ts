/**
 * The placeholder that a template must contain; the code replaces it. As in merge fields, spaces around the name are
 * ignored.
 */
const placeholder = /\{\{\s*code\s*\}\}/g;

export function hasPlaceholder(template: string): boolean {
  return template.search(placeholder) !== -1;
}

/** Replaces each character of a code wherever its message is shown. */
const maskCharacter = '•';

/** Returns the text that is sent, and the masked text that is stored and shown instead. */
export function renderCode(template: string, code: string): { text: string; masked: string } {
  const put = (what: string): string => template.replace(placeholder, () => what);
  return { text: put(code), masked: put(maskCharacter.repeat(code.length)) };
}
