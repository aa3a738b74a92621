import { readFileSync } from 'node:fs';
import { findOutdatedFiles, replaceSection } from '../../scripts/generate.ts';
import { variables } from '../../src/config.ts';
import { bundleContract } from '../../src/http/contract/bundle-contract.ts';
import { magicRecipients } from '../../src/gateway/magic-recipients.ts';

test('what is generated is current: docs/, openapi/ and the types of the contract (else: npm run generate)', async () => {
  expect((await findOutdatedFiles()).map(({ file }) => file)).toEqual([]);
});

test('the configuration page names every variable, and openapi.yaml every magic recipient in the text people read', () => {
  const page = readFileSync('docs/configuration.md', 'utf8');
  for (const name of [...Object.keys(variables.shape), 'DATA_DIR']) expect(page).toContain(`| \`${name}\` |`);
  const document = bundleContract() as unknown as {
    paths: Record<string, { post: { description: string } }>;
  };
  const { description } = document.paths['/api/v1/messages']!.post;
  for (const { number } of magicRecipients) expect(description).toContain(`| \`${number}\` |`);
});

const marked = (lines: string[]): string =>
  ['before', '  <!-- generated: a -->', ...lines, '  <!-- end of a -->', 'after', ''].join('\n');

describe('replaceSection', () => {
  it('changes only what is between the markers, indents it as the first one, and leaves a current document alone', () => {
    const replaced = replaceSection(marked(['  old']), 'a', ['new $& \\1', '', 'line']);
    expect(replaced.split('\n').slice(2, -3)).toEqual(['', '  new $& \\1', '', '  line', '']);
    expect(replaced).toMatch(/^before\n {2}<!-- generated: a,.* -->\n[^]*\n {2}<!-- end of a -->\nafter\n$/);
    expect(replaceSection(replaced, 'a', ['new $& \\1', '', 'line'])).toBe(replaced);
  });

  it.each([
    ['no markers', 'text'],
    ['only the first marker', '<!-- generated: a -->'],
    ['the markers of another section', marked([]).replaceAll(': a', ': ab').replaceAll('of a', 'of ab')],
  ])('fails on a document with %s', (_name, document) => {
    expect(() => replaceSection(document, 'a', [])).toThrow('no markers of the section a');
  });
});
