import type { Mail } from '../auth/mails/mailer.ts';
import { plainText } from '../auth/mails/mails.ts';
import type { ReviewedSenderIdRecord } from './read-for-review.ts';

/** The maximum length of the reviewer's reason in the mail. The record contains all of it. */
const maxReasonCharacters = 1000;

/** Creates the mail that informs the requester of a sender ID of the result of the review. */
export function reviewMail(
  to: string,
  { value, status, isDefault, reviewReason, organizationName }: ReviewedSenderIdRecord,
): Mail {
  const [organization, sender] = [plainText(organizationName), plainText(value)];
  const said = reviewReason === null ? '' : `\n\n${plainText(reviewReason, maxReasonCharacters)}`;
  if (status === 'approved') {
    const use = isDefault ? ' Messages without `from` use it.' : '';
    return {
      to,
      subject: 'Your sender ID is approved',
      text: `"${organization}" may now send messages from "${sender}".${use}${said}`,
    };
  }
  return {
    to,
    subject: 'Your sender ID is rejected',
    text: `"${organization}" may not send messages from "${sender}".${said}\n\nThe request can be changed and resubmitted.`,
  };
}
