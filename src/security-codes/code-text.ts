/** What a template must hold; the code takes its place. */
export const codePlaceholder = '{{code}}';

/** What stands for each character of a code wherever its message is shown. */
const maskCharacter = '•';

/** The text that is sent, and the one that is stored and shown in its place. */
export function renderCode(template: string, code: string): { text: string; masked: string } {
  const put = (what: string): string => template.replaceAll(codePlaceholder, () => what);
  return { text: put(code), masked: put(maskCharacter.repeat(code.length)) };
}
