import { defineCommand } from '../command.ts';
import { CliError } from '../errors.ts';

/** How the service shows a security code, of which it stores no text. To send the mask would confuse its recipient. */
const maskedCode = /•{4}/;

export const redriveMessage = defineCommand({
  name: 'redrive message',
  summary: 'Sends a failed message again, as a new message.',
  description: [
    'The new message has the same sender, recipient, text and metadata. It has no webhook, because the service does not ' +
      'show the secret of one; `sms redrive messages` keeps webhooks, but only administrators may use it. The command ' +
      'can be repeated for 24 hours: the message is sent again once.',
  ],
  arguments: [{ name: 'ID', description: 'The id of the failed message.' }],
  examples: ['sms redrive message 01a1fc36-be7d-730e-ba01-0e58086613c1'],
  run: async (context, { args: [id = ''] }) => {
    const { output, signal } = context;
    const { messages } = context.client();
    const organizationId = context.organizationId();
    const { status, from, to, text, metadata } = await messages.get(id, { organizationId }, { signal });
    if (status !== 'failed') {
      throw new CliError(
        'invalid',
        'invalid_state',
        `The message is ${status}. Only a failed message can be sent again.`,
      );
    }
    if (maskedCode.test(text)) {
      const detail = 'The text had a security code, which is not stored. `sms codes send` sends a new one.';
      throw new CliError('invalid', 'one_time_text', detail);
    }
    const sent = await messages.send(
      { from, to, text, metadata, organizationId },
      { signal, idempotencyKey: `sms-redrive-${id}` },
    );
    output.result(sent, () => [`${sent.id}  ${sent.status}  to ${sent.to}, in place of ${id}`]);
  },
});
