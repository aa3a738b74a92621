/** What a template must hold; the code takes its place. As in merge fields, spaces around the name do not count. */
const placeholder = /\{\{\s*code\s*\}\}/g;

export function hasPlaceholder(template: string): boolean {
  return template.search(placeholder) !== -1;
}

/** What stands for each character of a code wherever its message is shown. */
const maskCharacter = '•';

/** The text that is sent, and the one that is stored and shown in its place. */
export function renderCode(template: string, code: string): { text: string; masked: string } {
  const put = (what: string): string => template.replace(placeholder, () => what);
  return { text: put(code), masked: put(maskCharacter.repeat(code.length)) };
}
