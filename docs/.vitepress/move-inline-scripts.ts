import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TransformContext } from 'vitepress';

/**
 * Moves the scripts within a page into files, so that the Content-Security-Policy of the API needs no exception for
 * them. The name of a file contains the hash of its content: browsers may keep it for ever.
 */
export function moveInlineScripts(html: string, _file: string, { siteConfig }: TransformContext): string {
  const { outDir, assetsDir, site } = siteConfig;
  return html.replace(
    /<script(?![^>]*\ssrc=)([^>]*)>([^]+?)<\/script>/g,
    (_tag, attributes: string, code: string) => {
      const hash = createHash('sha256').update(code).digest('hex').slice(0, 12);
      const name = `inline.${hash}.js`;
      mkdirSync(join(outDir, assetsDir), { recursive: true });
      writeFileSync(join(outDir, assetsDir, name), code);
      return `<script${attributes} src="${site.base}${assetsDir}/${name}"></script>`;
    },
  );
}
