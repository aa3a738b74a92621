import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const texts = /\.(html|css|js|svg|json)$/;

/** Good for texts, and quick enough for a thousand pages: 11 is a twentieth smaller and takes ten times as long. */
const brotliQuality = 9;

/**
 * Writes compressed copies beside each text of a built site, so that the API compresses nothing while it runs. Browsers
 * accept Brotli (`.br`) over https only, so each text has a `.gz` too.
 */
export function compressTexts(directory: string): void {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !texts.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const source = readFileSync(file);
    const brotli = brotliCompressSync(source, {
      params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality },
    });
    if (brotli.length >= source.length) continue;
    writeFileSync(`${file}.br`, brotli);
    writeFileSync(`${file}.gz`, gzipSync(source, { level: 9 }));
  }
}
