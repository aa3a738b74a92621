import type { Mail } from '../auth/mailer.ts';
import { plainText } from '../auth/mails.ts';
import type { ReviewedSenderIdRecord } from './read-for-review.ts';

/** Of the reviewer's reason; the record has all of it. */
const maxReasonCharacters = 1000;

/** The mail that tells who asked for a sender ID what became of it. */
export function reviewMail(
  to: string,
  { value, status, isDefault, reviewReason, organizationName }: ReviewedSenderIdRecord,
): Mail {
  const [organization, sender] = [plainText(organizationName), plainText(value)];
  const said = reviewReason === null ? '' : `\n\n${plainText(reviewReason, maxReasonCharacters)}`;
  if (status === 'approved') {
    const use = isDefault ? ' Messages without `from` carry it.' : '';
    return {
      to,
      subject: 'Your sender ID is approved',
      text: `"${organization}" may now send messages from "${sender}".${use}${said}`,
    };
  }
  return {
    to,
    subject: 'Your sender ID is rejected',
    text: `"${organization}" may not send messages from "${sender}":${said}\n\nThe request can be changed and resubmitted.`,
  };
}
