import type { Schemas } from '../../http/contract/contract-types.ts';
import { normalizeText } from './normalize-text.ts';

/** The match types, in the order in which they are tried. */
export const matchTypes = ['exact', 'starts_with', 'contains'] as const satisfies Schemas['MatchType'][];

export type MatchType = (typeof matchTypes)[number];

/** The fields of a rule that decide whether it matches. */
export interface MatchableRule {
  id: string;
  matchType: MatchType;
  /** As `normalizeText` returns it. */
  foldedKeyword: string;
  createdAt: Date;
}

/**
 * Finds the rule that a text matches: exact before starts_with before contains, then the longest
 * keyword, then the oldest rule. Both starts_with and contains compare characters, not words: Amharic joins suffixes to
 * its words, and `VOTE5` must match `VOTE`. If a rule matches too much, add a rule with a longer keyword: it wins.
 */
export function matchKeyword<Rule extends MatchableRule>(text: string, rules: readonly Rule[]): Rule | null {
  const folded = normalizeText(text);
  const matching = rules.filter((rule) => matches(folded, rule));
  return matching.toSorted(compareRules)[0] ?? null;
}

function matches(foldedText: string, { matchType, foldedKeyword }: MatchableRule): boolean {
  // A keyword that consists of spaces is empty here, and every text begins with it.
  if (foldedKeyword === '') return foldedText === '';
  switch (matchType) {
    case 'exact':
      return foldedText === foldedKeyword;
    case 'starts_with':
      return foldedText.startsWith(foldedKeyword);
    case 'contains':
      return foldedText.includes(foldedKeyword);
  }
}

function compareRules(one: MatchableRule, other: MatchableRule): number {
  return (
    matchTypes.indexOf(one.matchType) - matchTypes.indexOf(other.matchType) ||
    Array.from(other.foldedKeyword).length - Array.from(one.foldedKeyword).length ||
    one.createdAt.getTime() - other.createdAt.getTime() ||
    (one.id < other.id ? -1 : 1)
  );
}
