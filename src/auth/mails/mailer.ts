import { createTransport } from 'nodemailer';
import type { Log } from '../../log.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends mails in the background, so that the duration of a request does not reveal whether a mail was sent. */
export interface Mailer {
  send: (mail: Mail) => void;
  /** Whether mails are sent by SMTP; if not, they are written to the log. */
  mailsGoOut: boolean;
  /** Waits for the mails in progress. */
  close: () => Promise<void>;
}

/** The time limit for each step of a delivery to the SMTP server. */
const smtpTimeoutMs = 10_000;

/**
 * Creates the mailer.
 *
 * Each mail is tried once: users who miss a mail can request another. For a failure only the code is logged, not the
 * address and not the text, which contains a token.
 *
 * @param smtpUrl `smtp://` or `smtps://`, in the syntax of nodemailer; without it nothing can be sent
 * @param toLog write mails to the log instead: for the embedded demo only, since the log then contains their tokens
 * @returns null if mails can be neither sent nor logged; operations that need a mail are then refused
 */
export function createMailer(options: {
  smtpUrl?: string | undefined;
  from: string;
  toLog: boolean;
  log: Log;
}): Mailer | null {
  const { smtpUrl, from, toLog, log } = options;
  if (smtpUrl === undefined) {
    if (!toLog) return null;
    // Whatever LOG_LEVEL is: the log is the only place where these mails can be read.
    const mailLog = log.child({}, { level: 'info' });
    return {
      send: (mail) => mailLog.info({ mail }, 'mail not sent: SMTP_URL is not set'),
      mailsGoOut: false,
      close: () => Promise.resolve(),
    };
  }
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: smtpTimeoutMs,
    greetingTimeout: smtpTimeoutMs,
    socketTimeout: smtpTimeoutMs,
    // Mails contain external input, which must not make the process read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const underWay = new Set<Promise<void>>();
  return {
    send: (mail) => {
      const delivery = transport.sendMail({ from, ...mail }).then(
        () => log.debug({ subject: mail.subject }, 'mail sent'),
        (error: { code?: unknown; responseCode?: unknown }) =>
          log.error(
            { subject: mail.subject, code: error.code, responseCode: error.responseCode },
            'mail could not be sent: check SMTP_URL and MAIL_FROM',
          ),
      );
      underWay.add(delivery);
      void delivery.finally(() => underWay.delete(delivery));
    },
    mailsGoOut: true,
    close: async () => {
      await Promise.all(underWay);
      transport.close();
    },
  };
}
