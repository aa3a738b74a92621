import { loadContract } from '../../src/http/contract/contract.ts';

const { document, patternWords } = loadContract();

/** Every pattern of the contract, and what it says in words. */
function findPatterns(node: unknown): { pattern: string; words: unknown }[] {
  if (typeof node !== 'object' || node === null) return [];
  const { pattern, 'x-pattern-says': words } = node as Record<string, unknown>;
  const own = typeof pattern === 'string' ? [{ pattern, words }] : [];
  return [...own, ...Object.values(node).flatMap(findPatterns)];
}

test('every pattern of the contract has its words, for people who read no regular expressions', () => {
  const patterns = findPatterns(document);
  expect(patterns.length).toBeGreaterThan(15);
  for (const { pattern, words } of patterns) {
    expect({ pattern, words }).toEqual({ pattern, words: expect.stringMatching(/^must be \w/) });
    // The words are looked up by the pattern, so it has the same ones everywhere.
    expect({ pattern, words }).toEqual({ pattern, words: patternWords.get(pattern) });
  }
});
