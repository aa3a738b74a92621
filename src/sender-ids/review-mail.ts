import type { Mail } from '../auth/mailer.ts';
import { oneLine } from '../auth/mails.ts';
import type { ReviewedSenderIdRecord } from './read-for-review.ts';

/** The mail that tells who asked for a sender ID what became of it. */
export function reviewMail(
  to: string,
  { value, status, isDefault, reviewReason, organizationName }: ReviewedSenderIdRecord,
): Mail {
  const organization = oneLine(organizationName);
  const said = reviewReason === null ? '' : `\n\n${reviewReason}`;
  if (status === 'approved') {
    const use = isDefault ? ' Messages without `from` carry it.' : '';
    return {
      to,
      subject: `Sender ID ${value} approved`,
      text: `${organization} may now send messages from ${value}.${use}${said}`,
    };
  }
  return {
    to,
    subject: `Sender ID ${value} rejected`,
    text: `${organization} may not send messages from ${value}:${said}\n\nThe request can be changed and resubmitted.`,
  };
}
