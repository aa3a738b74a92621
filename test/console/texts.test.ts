import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

type Catalogue = Record<string, string | { one: string; other: string }>;

const sources = join(dirname(fileURLToPath(import.meta.url)), '../../console/src');
const catalogues = globSync('**/*text.en.ts', { cwd: sources }).toSorted();

async function readCatalogues(file: string): Promise<{ en: Catalogue; am: Catalogue }> {
  const english = (await import(join(sources, file))) as { en: Catalogue };
  const amharic = (await import(join(sources, file.replace('.en.', '.am.')))) as { am: Catalogue };
  return { en: english.en, am: amharic.am };
}

/** The names of the parameters in all forms of a text. */
function parametersOf(text: Catalogue[string]): string[] {
  const forms = typeof text === 'string' ? text : `${text.one} ${text.other}`;
  return [...new Set([...forms.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!))].toSorted();
}

test.each(catalogues)('%s has the same keys and parameters in Amharic', async (file) => {
  const { en, am } = await readCatalogues(file);
  expect(Object.keys(am).toSorted()).toEqual(Object.keys(en).toSorted());
  for (const key of Object.keys(en))
    expect([key, parametersOf(am[key]!)]).toEqual([key, parametersOf(en[key]!)]);
});

test.each(catalogues)('no text of %s is used twice under one key, empty, or unused', async (file) => {
  const { en } = await readCatalogues(file);
  const folder = join(sources, dirname(file));
  const code = globSync('**/*.{ts,tsx}', { cwd: dirname(file) === 'i18n' ? sources : folder })
    .filter((name) => !name.includes('text.'))
    .map((name) => readFileSync(join(dirname(file) === 'i18n' ? sources : folder, name), 'utf8'))
    .join('\n')
    .concat(file.startsWith('shell/') ? readFileSync(join(sources, 'features/navigation.ts'), 'utf8') : '');
  // A key that is put together is found by its beginning or end: t(`theme_${value}`), t(`${name}Title`).
  const isUsed = (key: string): boolean =>
    new RegExp(`\\b${key}\\b`).test(code) ||
    [...code.matchAll(/`(\w*)\$\{[^}]+\}(\w*)`/g)].some(
      ([, start, end]) => start! + end! !== '' && key.startsWith(start!) && key.endsWith(end!),
    );
  expect(Object.keys(en).filter((key) => en[key] === '' || !isUsed(key))).toEqual([]);
});

test('no component holds a text in an attribute; those between tags are refused by lint', () => {
  const textual = /\b(?:aria-label|alt|title|placeholder|label|hint|description|aside)="[^"]*\p{L}[^"]*"/gu;
  const found = globSync('**/*.tsx', { cwd: sources })
    .filter((file) => !file.startsWith('gallery'))
    .flatMap((file) =>
      [...readFileSync(join(sources, file), 'utf8').matchAll(textual)].map(([text]) => `${file}: ${text}`),
    );
  expect(found).toEqual([]);
});
