import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MarkdownRenderer } from 'vitepress';

const docs = fileURLToPath(new URL('..', import.meta.url));
const root = join(docs, '..');

/** Files outside docs/ that a page includes. */
const includedIn: Record<string, string> = { [join(root, 'CHANGELOG.md')]: join(docs, 'changelog.md') };

type Tokens = ReturnType<MarkdownRenderer['parse']>;

/**
 * The pages are read on the site and in the repository. Links that work in the repository are adapted for the site:
 * those to files outside docs/ become the path of the file, README.md is the index of its folder, and the API
 * reference, which is no page of the site, is loaded by the browser.
 */
export function linkRepositoryFiles(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('link-repository-files', ({ tokens, env, Token }) => {
    const directory = dirname((env as { path: string }).path);
    const codeOf = (path: string): Tokens[number] =>
      Object.assign(new Token('code_inline', 'code', 0), { content: path });
    for (const { children } of tokens) adaptLinks(children ?? [], directory, codeOf);
  });
}

function adaptLinks(children: Tokens, directory: string, codeOf: (path: string) => Tokens[number]): void {
  for (let index = 0; index < children.length; index += 1) {
    const token = children[index]!;
    const href = token.type === 'link_open' ? token.attrGet('href') : null;
    if (href === null) continue;
    if (/^\/api(#|$)/.test(href)) token.attrSet('target', '_self');
    if (/^([a-z]+:|\/|#)/.test(href)) continue;
    const [, path = '', anchor = ''] = /^([^#]*)(#.*)?$/.exec(href) ?? [];
    const file = findFile(path, directory);
    if (relative(docs, file).startsWith('..')) {
      const end = children.findIndex(({ type }, at) => at > index && type === 'link_close');
      children.splice(index, end - index + 1, codeOf(relative(root, file)));
    } else {
      const page = relative(directory, file).replace(/(^|\/)README\.md$/, '$1./');
      token.attrSet('href', (page.startsWith('.') ? page : `./${page}`) + anchor);
    }
  }
}

/** Links of an included file are relative to the file, not to the page that includes it. */
function findFile(path: string, directory: string): string {
  const file = [join(directory, path), join(root, path)].find(existsSync) ?? join(directory, path);
  return includedIn[file] ?? file;
}
