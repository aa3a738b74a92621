import type { MarkdownRenderer } from 'vitepress';

/** Shows `{{code}}` in a text as it is. To Vue, which renders the pages, it would be an expression. */
export function showBraces({ renderer: { rules } }: MarkdownRenderer): void {
  for (const kind of ['text', 'code_inline'] as const) {
    const render = rules[kind]!;
    rules[kind] = (...token) => render(...token).replaceAll('{{', '&#123;&#123;');
  }
}
