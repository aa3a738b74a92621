import { defineCommand } from '../command.ts';
import { columns } from '../output.ts';

export const sendCode = defineCommand({
  name: 'codes send',
  summary: 'Sends a one-time code.',
  description: ['The code appears only in the message. `sms codes verify` checks what the recipient enters.'],
  arguments: [{ name: 'TO', description: 'The number of the recipient.' }],
  options: {
    purpose: {
      type: 'string',
      value: 'WORD',
      description: 'What the code is for. Codes for other purposes stay valid.',
    },
    from: {
      type: 'string',
      value: 'SENDER',
      description: 'An approved sender. Default: that of the organization.',
    },
    template: { type: 'string', value: 'TEXT', description: 'The text, with {{code}} in it.' },
    length: { type: 'integer', value: 'COUNT', description: 'How many characters the code has.' },
    ttl: { type: 'integer', value: 'SECONDS', description: 'How long the code is valid.' },
    'max-attempts': { type: 'integer', value: 'COUNT', description: 'How many wrong guesses are allowed.' },
    'idempotency-key': {
      type: 'string',
      value: 'KEY',
      description: 'Repeating the command with it sends nothing twice.',
    },
  },
  examples: ["sms codes send 0911234567 --template 'Your code: {{code}}'"],
  run: async (context, { options, args: [to = ''] }) => {
    const { output, signal } = context;
    const { purpose, from, template, length, ttl, 'max-attempts': maxAttempts } = options;
    const code = await context.client().securityCodes.send(
      {
        to,
        ...(purpose !== undefined && { purpose }),
        ...(from !== undefined && { from }),
        ...(template !== undefined && { template }),
        ...(length !== undefined && { code: { length } }),
        ...(ttl !== undefined && { ttlSeconds: ttl }),
        ...(maxAttempts !== undefined && { maxAttempts }),
        organizationId: context.organizationId(),
      },
      { signal, idempotencyKey: options['idempotency-key'] },
    );
    output.result(code, () =>
      columns([
        ['verification', code.verificationId],
        ['to', code.to],
        ['expires', code.expiresAt],
        ['attempts', String(code.attemptsRemaining)],
        ['message', code.messageId],
      ]),
    );
  },
});

export const verifyCode = defineCommand({
  name: 'codes verify',
  summary: 'Checks a code. Fails unless it is right.',
  arguments: [
    { name: 'VERIFICATION', description: 'The id of the verification, as `sms codes send` printed it.' },
    { name: 'CODE', description: 'The code that the recipient entered.' },
  ],
  examples: ['sms codes verify 019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b13 418302'],
  run: async (context, { args: [verificationId = '', code = ''] }) => {
    const { output, signal } = context;
    const result = await context
      .client()
      .securityCodes.verify({ verificationId, code, organizationId: context.organizationId() }, { signal });
    output.result(result, () => [
      result.valid
        ? output.paint('green', 'verified')
        : `${output.paint('red', result.status)}, ${result.attemptsRemaining} attempts remaining`,
    ]);
    return result.valid;
  },
});
