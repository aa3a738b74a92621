import { defineCommand } from '../command.ts';
import { columns } from '../output.ts';
import { readText } from '../read-text.ts';

export const estimateMessage = defineCommand({
  name: 'estimate',
  summary: 'Tells what a message would cost and whether it would be refused. Nothing is stored or sent.',
  arguments: [
    { name: 'TO', description: 'The number of the recipient.' },
    { name: 'TEXT', description: 'The text, in quotes if it has spaces; - reads standard input.' },
  ],
  options: {
    from: {
      type: 'string',
      value: 'SENDER',
      description: 'An approved sender. Default: that of the organization.',
    },
  },
  examples: ["sms estimate 0911234567 'ሰላም'"],
  run: async (context, { options, args: [to = '', text = ''] }) => {
    const { output, signal } = context;
    const estimate = await context.client().messages.estimate(
      {
        ...{ to, text: await readText(text) },
        ...(options.from !== undefined && { from: options.from }),
        organizationId: context.organizationId(),
      },
      { signal },
    );
    const { wouldBeRefused: refusal, charactersForcingUnicode: forcing } = estimate;
    output.result(estimate, () =>
      columns([
        ['segments', String(estimate.segments)],
        ['encoding', estimate.encoding],
        ['units', `${estimate.units}, ${estimate.unitsPerSegment} in a segment`],
        ...(forcing.length === 0
          ? []
          : [['unicode because of', forcing.map(({ character }) => character).join(' ')]]),
        ['to', estimate.to ?? '-'],
        ['from', estimate.from ?? '-'],
        [
          'would be',
          refusal === null
            ? output.paint('green', 'accepted')
            : output.paint('red', `refused: ${refusal.code}: ${refusal.message}`),
        ],
      ]),
    );
    return refusal === null;
  },
});
