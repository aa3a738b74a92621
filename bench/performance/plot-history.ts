import { format, valueIn, type Goal, type Run } from './goals.ts';

const panel = { width: 260, height: 150, columns: 3, left: 14, right: 60, top: 46, bottom: 24 };

/**
 * Returns an SVG with one panel a goal: its value before, and in each run, as a line, and the goal as a dashed line. The
 * vertical axis is logarithmic, so that equal distances are equal factors.
 */
export function plotHistory(goals: Goal[], history: Run[]): string {
  const rows = Math.ceil(goals.length / panel.columns);
  const [width, height] = [panel.columns * panel.width, rows * panel.height];
  const panels = goals.map((goal, index) => {
    const x = (index % panel.columns) * panel.width;
    const y = Math.floor(index / panel.columns) * panel.height;
    return `<g transform="translate(${x} ${y})">${plotGoal(goal, history)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="11">
<rect width="${width}" height="${height}" fill="white"/>
${panels.join('\n')}
</svg>
`;
}

function plotGoal(goal: Goal, history: Run[]): string {
  const points = [
    ...(goal.before === null ? [] : [{ label: 'before', value: goal.before }]),
    ...history.flatMap((run) => {
      const value = valueIn(goal, run);
      return value === null ? [] : [{ label: run.commit, value }];
    }),
  ];
  const values = [...points.map(({ value }) => value), goal.goal].map((value) =>
    Math.log(Math.max(value, 0.001)),
  );
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const plotHeight = panel.height - panel.top - panel.bottom;
  const plotWidth = panel.width - panel.left - panel.right;
  const yOf = (value: number): number =>
    round(panel.top + plotHeight * (1 - (Math.log(Math.max(value, 0.001)) - low) / (high - low || 1)));
  const xOf = (index: number): number =>
    round(panel.left + (plotWidth * index) / Math.max(1, points.length - 1));
  const at = points.map(({ value }, index) => ({ x: xOf(index), y: yOf(value) }));
  const last = points.at(-1);
  return [
    ...wrap(goal.title).map(
      (line, index) =>
        `<text x="${panel.left}" y="${14 + index * 13}" font-weight="bold">${escape(line)}</text>`,
    ),
    `<line x1="${panel.left}" x2="${panel.left + plotWidth}" y1="${yOf(goal.goal)}" y2="${yOf(goal.goal)}" stroke="#888" stroke-dasharray="4 3"/>`,
    `<text x="${panel.left}" y="${panel.height - 6}" fill="#666">goal ${format(goal, goal.goal)}, ${goal.better} is better</text>`,
    `<polyline points="${at.map(({ x, y }) => `${x},${y}`).join(' ')}" fill="none" stroke="#1f6feb" stroke-width="2"/>`,
    ...at.map(
      ({ x, y }, index) =>
        `<circle cx="${x}" cy="${y}" r="3" fill="#1f6feb"><title>${points[index]!.label}: ${format(goal, points[index]!.value)}</title></circle>`,
    ),
    last ? `<text x="${at.at(-1)!.x + 7}" y="${at.at(-1)!.y + 4}">${format(goal, last.value)}</text>` : '',
  ].join('');
}

const round = (value: number): number => Math.round(value * 10) / 10;
const escape = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

/** Breaks a title into lines of at most 36 characters. */
function wrap(title: string): string[] {
  const lines = [''];
  for (const word of title.replaceAll('`', '').split(' ')) {
    if ((lines.at(-1)! + word).length > 36) lines.push('');
    lines[lines.length - 1] = `${lines.at(-1)!} ${word}`.trim();
  }
  return lines;
}
