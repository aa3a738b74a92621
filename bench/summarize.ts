import { percentile } from './load.ts';
import type { Figure } from './scenarios/scenario.ts';

/** A figure over several rounds. */
export interface Row {
  name: string;
  unit: string;
  median: number;
  lowest: number;
  highest: number;
  /** Of the rounds with a yardstick: its median, and the median of the ratios. */
  yardstick?: number;
  ratio?: number;
}

/** Returns the median and the range of each figure, in the order in which the figures were measured first. */
export function summarize(figures: Figure[]): Row[] {
  const byName = Map.groupBy(figures, ({ name }) => name);
  return [...byName.values()].map((rounds) => {
    const { name, unit } = rounds[0]!;
    const values = rounds.map(({ value }) => value);
    const yardsticks = rounds.flatMap(({ yardstick }) => yardstick ?? []);
    const ratios = rounds.flatMap(({ value, yardstick }) => (yardstick ? value / yardstick : []));
    return {
      ...{ name, unit, median: percentile(values, 50) },
      ...{ lowest: Math.min(...values), highest: Math.max(...values) },
      ...(yardsticks.length > 0 && { yardstick: percentile(yardsticks, 50), ratio: percentile(ratios, 50) }),
    };
  });
}

/**
 * Returns the medians as JSON, one object a figure: `{scenario, figure, product, yardstick, ratio, unit, lost, rounds}`.
 * A figure without a yardstick has null for `yardstick` and `ratio`. `lost` is always 0, because a round that loses
 * something ends the bench without figures.
 */
export function toJson(figures: Figure[]): string {
  const scenarioOf = new Map(figures.map(({ name, scenario }) => [name, scenario]));
  const roundsOf = Map.groupBy(figures, ({ name }) => name);
  const entries = summarize(figures).map(({ name, unit, median, yardstick = null, ratio = null }) => ({
    ...{ scenario: scenarioOf.get(name), figure: name, product: median, yardstick, ratio, unit },
    ...{ lost: 0, rounds: roundsOf.get(name)!.length },
  }));
  return `${JSON.stringify(entries, null, 2)}\n`;
}

/** Returns the rows as a Markdown table. */
export function toTable(rows: Row[]): string {
  const header = ['', 'median', 'range', 'yardstick', 'ratio'];
  const lines = rows.map(({ name, unit, median, lowest, highest, yardstick, ratio }) => [
    name,
    `${median.toFixed(0)} ${unit}`,
    `${lowest.toFixed(0)}–${highest.toFixed(0)}`,
    yardstick === undefined ? '' : yardstick.toFixed(0),
    ratio === undefined ? '' : ratio.toFixed(2),
  ]);
  return [header, header.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
