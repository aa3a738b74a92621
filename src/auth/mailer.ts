import { createTransport } from 'nodemailer';
import type { Log } from '../log.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends mails beside the request that asked for them, so that its duration tells nobody whether one was sent. */
export interface Mailer {
  send: (mail: Mail) => void;
  /** Whether mails leave the service; if not, they are written to its log. */
  mailsGoOut: boolean;
  /** Waits for the mails under way. */
  close: () => Promise<void>;
}

/** How long one delivery to the SMTP server may take at each of its steps. */
const smtpTimeoutMs = 10_000;

/**
 * Makes the way out for mails.
 *
 * A mail is tried once: whoever misses one asks for another. What is logged of a failure is its code, not the
 * address and not the text, which carries a token.
 *
 * @param smtpUrl `smtp://` or `smtps://`, as nodemailer reads it; without it nothing can be sent
 * @param toLog write mails to the log instead: for the embedded demo only, since the log then holds their tokens
 * @returns null when there is no way out; what needs a mail is then refused
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
    return {
      send: (mail) => log.info({ mail }, 'a mail, which SMTP_URL would have sent'),
      mailsGoOut: false,
      close: () => Promise.resolve(),
    };
  }
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: smtpTimeoutMs,
    greetingTimeout: smtpTimeoutMs,
    socketTimeout: smtpTimeoutMs,
    // Mails hold what came from outside; nothing in them may make the process read a file or a URL.
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
            'a mail could not be sent: check SMTP_URL and MAIL_FROM',
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
