import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { createMailer } from '../../src/auth/mailer.ts';
import { invitationMail } from '../../src/auth/mails.ts';
import { logOptions } from '../../src/log.ts';

const mail = { to: 'abebe@example.com', subject: 'Confirm', text: 'https://sms.example/?token=planted ሰላም' };
const from = 'SMS <noreply@example.com>';

function openLog() {
  const lines: string[] = [];
  return { lines, log: pino({ ...logOptions, level: 'trace' }, { write: (line) => lines.push(line) }) };
}

/** A real SMTP server that keeps what it is given, or refuses every recipient. */
async function startSmtp(refuses = false) {
  const received: { to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) =>
      done(refuses ? new Error('no such mailbox abebe@example.com') : null),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        received.push({
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
        });
        done();
      });
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    received,
    url: `smtp://127.0.0.1:${port}`,
    stop: () => new Promise<void>((done) => server.close(done)),
  };
}

test('a mail goes out by SMTP, and closing waits for it', async () => {
  const [smtp, { log, lines }] = [await startSmtp(), openLog()];
  const mailer = createMailer({ smtpUrl: smtp.url, from, toLog: true, log })!;
  mailer.send(mail);
  await mailer.close();
  await smtp.stop();
  expect(smtp.received).toHaveLength(1);
  expect(smtp.received[0]!.to).toEqual([mail.to]);
  expect(smtp.received[0]!.text).toMatch(/^From: SMS <noreply@example\.com>/m);
  expect(lines.join('')).not.toMatch(/planted|abebe/);
});

test.each(['refuses the mailbox', 'is away'])(
  'a server that %s is logged, without address and text',
  async (what) => {
    const [smtp, { log, lines }] = [await startSmtp(true), openLog()];
    if (what === 'is away') await smtp.stop();
    const mailer = createMailer({ smtpUrl: smtp.url, from, toLog: false, log })!;
    mailer.send(mail);
    await mailer.close();
    if (what !== 'is away') await smtp.stop();
    expect(lines.join('')).toContain('could not be sent');
    expect(lines.join('')).not.toMatch(/planted|abebe/);
  },
);

test('without SMTP mails are written to the log only where that was asked for', () => {
  const { log, lines } = openLog();
  expect(createMailer({ from, toLog: false, log })).toBeNull();
  createMailer({ from, toLog: true, log })!.send(mail);
  expect(JSON.parse(lines[0]!)).toMatchObject({ mail });
});

test('names in an invitation stay on their line', () => {
  const facts = {
    id: 'i',
    role: 'member',
    expiresAt: new Date(0),
    inviterName: 'A\n\nClick https://evil.example\n',
    organizationName: `B\r\nBcc: all@example.com${'x'.repeat(200)}`,
  };
  const { subject, text } = invitationMail('a@example.com', facts, 'https://sms.example');
  expect(subject).not.toMatch(/[\r\n]/);
  expect(subject.length).toBeLessThan(100);
  expect(text.split('\n')[0]).toContain('evil.example');
});
