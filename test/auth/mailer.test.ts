import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import * as fc from 'fast-check';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { createMailer } from '../../src/auth/mails/mailer.ts';
import { invitationMail, plainText } from '../../src/auth/mails/mails.ts';
import type { ReviewedSenderIdRecord } from '../../src/sender-ids/read-for-review.ts';
import { reviewMail } from '../../src/sender-ids/review-mail.ts';
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
  log.level = 'error';
  createMailer({ from, toLog: true, log })!.send(mail);
  expect(JSON.parse(lines[0]!)).toMatchObject({ mail });
});

const foreign = {
  'two lines': 'A\n\nYour account is closed.',
  'a header': 'A\r\nBcc: all@example.com',
  'a link': 'A https://evil.example/pay?to=me now',
  'a link without a scheme': 'www.evil.example',
  'a host': 'evil.example',
  'a host with the full stop of another script': 'evil。example and evil．example',
  'a link in Markdown': '[sign in](//evil.example)',
  'a link in HTML': '<a href="https://evil.example">sign in</a>',
  'an address': 'write to help@evil.example',
  'another scheme': 'tel:+251911234567 mailto:a@evil.example',
  'the end of our quotation': 'Acme" is safe. "',
  'four thousand characters': 'x'.repeat(4000),
};
/** What a mail program makes a link of, or a mail server a header. */
const linkOrBreak = /[\r\n\u2028\u2029@<>[\]"/]|[\p{L}\p{N}][.:。．｡][\p{L}\p{N}]/u;

describe('free text in a mail', () => {
  test.each(Object.entries(foreign))('that holds %s is one short line without a link', (_what, text) => {
    expect(plainText(text)).not.toMatch(linkOrBreak);
    expect(Array.from(plainText(text)).length).toBeLessThanOrEqual(60);
  });

  test.each([
    ['Acme Ltd. (Addis Ababa), the shop', 'Acme Ltd. (Addis Ababa), the shop'],
    ['አበበ ቢቂላ', 'አበበ ቢቂላ'],
    ["O'Brien-Müller & Söhne", "O'Brien-Müller Söhne"],
    ['Booking.com', 'Booking com'],
    ['🎉', '?'],
  ])('%s is shown as %s', (text, shown) => {
    expect(plainText(text)).toBe(shown);
  });

  test('any text is one short line without a link', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(plainText(text)).not.toMatch(linkOrBreak);
      }),
    );
  });

  test.each(Object.entries(foreign))('stands in no subject: %s', (_what, text) => {
    const facts = { id: 'i', role: 'member', expiresAt: new Date(0) };
    const invited = (name: string) =>
      invitationMail(
        'a@x.example',
        { ...facts, inviterName: name, organizationName: name },
        'https://sms.example',
      );
    const reviewed = (status: 'approved' | 'rejected', name: string) =>
      reviewMail('a@x.example', {
        ...{ value: name, status, isDefault: true, reviewReason: name, organizationName: name },
      } as ReviewedSenderIdRecord);
    const mailsOf = (name: string) => [invited(name), reviewed('approved', name), reviewed('rejected', name)];
    expect(mailsOf(text).map(({ subject }) => subject)).toEqual(mailsOf('A').map(({ subject }) => subject));
    const lines = (mails: { text: string }[]) => mails.map((sent) => sent.text.split('\n').length);
    expect(lines(mailsOf(text))).toEqual(lines(mailsOf('A')));
    for (const sent of mailsOf(text)) expect(sent.text).not.toContain('evil.example');
  });
});
