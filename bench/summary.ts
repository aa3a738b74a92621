import { percentile } from './load.ts';
import type { Figure } from './scenarios/scenario.ts';

/** The rounds of one figure. */
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

/** Summarizes the rounds of each figure, in the order of their first round. */
export function summarize(figures: Figure[]): Row[] {
  const byName = Map.groupBy(figures, ({ name }) => name);
  return [...byName.values()].map((of) => {
    const { name, unit } = of[0]!;
    const values = of.map(({ value }) => value);
    const withYardstick = of.filter((figure) => figure.yardstick !== undefined);
    return {
      ...{
        name,
        unit,
        median: percentile(values, 50),
        lowest: Math.min(...values),
        highest: Math.max(...values),
      },
      ...(withYardstick.length > 0 && {
        yardstick: percentile(
          withYardstick.map(({ yardstick }) => yardstick!),
          50,
        ),
        ratio: percentile(
          withYardstick.map(({ value, yardstick }) => value / yardstick!),
          50,
        ),
      }),
    };
  });
}
