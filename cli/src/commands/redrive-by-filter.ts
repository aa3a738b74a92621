import type { MessageRedriveInput, Redrive } from 'sms-service-client';
import { defineCommand, type OptionValues } from '../command.ts';
import type { Context } from '../context.ts';
import { columns } from '../output.ts';
import { pause } from '../pause.ts';
import { createProgress } from '../progress.ts';
import { readTime } from '../read-time.ts';
import { countOf } from '../show-message.ts';

const time = 'ISO 8601, or 30s, 15m, 2h, 3d ago';

const filterOptions = {
  from: {
    type: 'string',
    value: 'TIME',
    isRequired: true,
    description: `Created at this time or later: ${time}.`,
  },
  to: { type: 'string', value: 'TIME', description: 'Created before this time. Default: now.' },
  'error-code': { type: 'string', value: 'CODE', description: 'Only what failed with this code.' },
  environment: {
    type: 'string',
    value: 'NAME',
    choices: ['live', 'test'],
    description: 'Only of this environment.',
  },
  limit: { type: 'integer', value: 'COUNT', description: 'How many at most.' },
} as const;

const description = [
  'Only administrators of the service may do this. Without --organization it covers all organizations. Ctrl-C ends only ' +
    'the command: the redrive goes on, and `sms redrive watch ID` shows it again.',
];

export const redriveMessages = defineCommand({
  name: 'redrive messages',
  summary: 'Sends the failed messages of a period again, each as a new message.',
  description,
  options: filterOptions,
  examples: ['sms redrive messages --from 2h --error-code dlr_timeout'],
  run: async (context, { options }) => {
    const { admin } = context.client();
    const filter = filterOf(context, options);
    const errorCode = options['error-code'] as MessageRedriveInput['errorCode'];
    const input = { ...filter, ...(errorCode !== undefined && { errorCode }) };
    return watch(context, await admin.redriveMessages(input, { signal: context.signal }));
  },
});

export const redriveWebhooks = defineCommand({
  name: 'redrive webhooks',
  summary: 'Sends the dead webhook deliveries of a period again.',
  description,
  options: filterOptions,
  examples: ['sms redrive webhooks --from 2026-11-20T00:00:00Z --to 2026-11-21T00:00:00Z'],
  run: async (context, { options }) => {
    const { admin } = context.client();
    const errorCode = options['error-code'];
    const input = { ...filterOf(context, options), ...(errorCode !== undefined && { errorCode }) };
    return watch(context, await admin.redriveWebhookDeliveries(input, { signal: context.signal }));
  },
});

export const watchRedrive = defineCommand({
  name: 'redrive watch',
  summary: 'Shows the progress of a redrive until it has ended.',
  arguments: [{ name: 'ID', description: 'The id of the redrive.' }],
  examples: ['sms redrive watch 019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa'],
  run: async (context, { args: [id = ''] }) =>
    watch(context, await context.client().admin.getRedrive(id, { signal: context.signal })),
});

function filterOf(
  context: Context,
  { from, to, environment, limit }: OptionValues<typeof filterOptions>,
): Omit<MessageRedriveInput, 'errorCode'> {
  const organizationId = context.organizationId();
  return {
    from: readTime('--from', from),
    to: to === undefined ? new Date().toISOString() : readTime('--to', to),
    ...(organizationId !== undefined && { organizationId }),
    ...(environment !== undefined && { environment: environment as 'live' | 'test' }),
    ...(limit !== undefined && { limit }),
  };
}

/** Shows a redrive until it has ended. Returns whether it is completed. */
async function watch(context: Context, started: Redrive): Promise<boolean> {
  const { output, signal } = context;
  const progress = createProgress(output);
  let redrive = started;
  output.note(`The redrive ${redrive.id} is stored.`);
  while (redrive.status === 'pending' || redrive.status === 'running') {
    progress.show({ done: redrive.matched, total: undefined, label: labelOf(redrive) });
    await pause(500, signal);
    redrive = await context.client().admin.getRedrive(redrive.id, { signal });
  }
  progress.show({ done: redrive.matched, total: undefined, label: labelOf(redrive) });
  progress.end();
  output.result(redrive, () =>
    columns([
      ['id', redrive.id],
      ['status', redrive.status],
      ['redriven', String(redrive.redriven)],
      ...Object.entries(redrive.skipped).map(([reason, count]) => [`skipped: ${reason}`, String(count)]),
      ...(redrive.failure === null ? [] : [['failure', redrive.failure.message]]),
    ]),
  );
  return redrive.status === 'completed';
}

function labelOf({ matched, redriven, kind }: Redrive): string {
  const what = kind === 'messages' ? countOf(matched, 'message') : countOf(matched, 'delivery', 'deliveries');
  return `${what} examined, ${redriven.toLocaleString('en')} redriven`;
}
