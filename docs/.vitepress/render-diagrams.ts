import { renderMermaidSVG } from 'beautiful-mermaid';
import type { MarkdownRenderer } from 'vitepress';

const light = { bg: '#ffffff', fg: '#3c3c43' };
const dark = { bg: '#1b1b1f', fg: '#dfdfd6' };

/**
 * Draws the Mermaid diagrams of a page when the site is built, so that no page has to load Mermaid, which is larger than
 * the site. Each diagram is drawn twice: for the light and for the dark appearance.
 */
export function renderDiagrams(markdown: MarkdownRenderer): void {
  const renderCode = markdown.renderer.rules.fence!;
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { info, content } = tokens[index]!;
    if (info.trim() !== 'mermaid') return renderCode(tokens, index, options, env, self);
    return `<figure class="diagram">${imageOf(content, 'light', light)}${imageOf(content, 'dark', dark)}</figure>`;
  };
}

function imageOf(diagram: string, appearance: string, colors: { bg: string; fg: string }): string {
  // The renderer names a font of Google's, which it would import.
  const svg = renderMermaidSVG(diagram, { ...colors, font: 'system-ui', transparent: true }).replaceAll(
    /@import url\([^)]*\);?/g,
    '',
  );
  const url = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  return `<img class="in-${appearance}" src="${url}" alt="Diagram; the text around it says the same.">`;
}
