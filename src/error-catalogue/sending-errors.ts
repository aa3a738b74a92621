import type { ErrorDescription } from './error-description.ts';

/** The codes for messages that are refused, and for what messages are made of: senders, recipients, lists, keywords. */
export const sendingErrors = {
  invalid_recipient: {
    status: 422,
    meaning: 'The recipient is not a phone number that can receive messages.',
    happens:
      'The number has too few or too many digits for its country, its country code does not exist, or it is a national ' +
      'number of another country than Ethiopia.',
    cure:
      'Send the number in the format of E.164 (`+251911234567`) or, if it is Ethiopian, as it is dialled there ' +
      '(`0911234567`). `errors` says what is wrong with it. Do not repeat the request with the same number.',
  },
  sender_not_approved: {
    status: 422,
    meaning: 'The sender ID is not approved for this organization.',
    happens:
      'The sender ID was never requested, waits for its review, was rejected, or belongs to another organization.',
    cure:
      'List the sender IDs with `GET /api/v1/sender-ids` and use an approved one, or leave `from` out to use the ' +
      'default. Request a new one with `POST /api/v1/sender-ids`; an administrator of the service approves it.',
  },
  sender_required: {
    status: 422,
    meaning: 'Get a default sender ID approved or, if the body has the field, set `from` to a sender ID.',
    happens: 'The request names no sender, and the organization has no approved default sender ID.',
    cure:
      'Set `from` to an approved sender ID, or ask an administrator of the service to make one of them the default. A ' +
      'new organization requests its first one with `POST /api/v1/sender-ids`.',
  },
  recipient_opted_out: {
    status: 422,
    meaning: 'The recipient is on the suppression list of the organization.',
    happens:
      'The owner of the number has answered STOP, or a person of the organization has put the number on the list.',
    cure:
      'Do not send to this number. It receives messages again when its owner answers START, or after ' +
      '`DELETE /api/v1/suppressions/{suppressionId}`, which needs the consent of the owner.',
  },
  destination_not_allowed: {
    status: 422,
    meaning: 'The organization may not send to this country or network.',
    happens:
      'An administrator of the service has limited the destinations of the organization, or of all organizations, and ' +
      'the number begins with none of them.',
    cure: 'Ask an administrator of the service to allow the destination. Test messages may go anywhere.',
  },
  content_refused: {
    status: 422,
    meaning: 'A rule of the service refuses the text of the message.',
    happens:
      'An administrator of the service keeps rules about phrases and links, for all organizations or for this one. ' +
      '`detail` has the reason of the rule that refuses the text.',
    cure: 'Change the text as `detail` says, or talk to an administrator of the service. Test messages are not checked.',
  },
  security_codes_held: {
    status: 422,
    meaning: 'The organization may send no security codes to this prefix for some hours.',
    happens:
      'Many codes were sent to numbers with this country code and these first digits, and few of them were verified. ' +
      'That is how it looks when somebody has codes sent only for the price of the messages.',
    cure:
      'Find out who requests these codes, and limit how often a visitor may request one. Verify the codes with ' +
      '`POST /api/v1/security-codes/verify`: only these verifications count. `detail` says when the hold ends; an ' +
      'administrator of the service can end it before.',
  },
  sending_cap_reached: {
    status: 429,
    meaning: 'The organization may send no more such live messages in this hour or day.',
    happens:
      'An administrator of the service has capped the live messages of the organization, to one number, or to numbers ' +
      'with a prefix; or the organization is new and has sent as many as new ones may in a day. Nothing was stored.',
    cure:
      'Wait for the seconds in `Retry-After`, then send the message again, with the same `Idempotency-Key`. ' +
      '`GET /api/v1/organizations/limits` shows the caps. Ask an administrator of the service to raise one. Test ' +
      'messages are not counted.',
  },
  webhook_url_not_allowed: {
    status: 422,
    meaning: 'Webhook URLs must be public http(s) addresses.',
    happens: 'The host of the URL is, or resolves to, a private, local or reserved address.',
    cure:
      'Use a URL that is reachable from the Internet. On a server of your own, the operator allows a host with ' +
      '`WEBHOOK_ALLOWED_HOSTS`; `npm start` on a loopback address allows localhost and 127.0.0.1.',
  },
  keyword_reserved: {
    status: 422,
    meaning: 'This keyword is reserved for opting out and opting in. Rules cannot use it.',
    happens: 'The keyword is STOP, START or one of their synonyms, in any case.',
    cure: 'Choose another keyword. Opting out and in works without a rule.',
  },
  contact_list_empty: {
    status: 422,
    meaning: 'The contact list has no members that can receive a message.',
    happens: 'The phonebook has no members, or all of them have left it since the batch was created.',
    cure:
      'Add contacts with `PUT /api/v1/contact-lists/{listId}/members`. `POST /api/v1/bulk-sms/estimate` says how many ' +
      'would receive the text, and why others would not.',
  },
  unknown_contacts: {
    status: 422,
    meaning: 'Some ids do not belong to contacts of this organization. Nothing was changed.',
    happens: 'An id is misspelled, the contact was deleted, or it belongs to another organization.',
    cure: 'Remove the ids that `errors` names, or create these contacts first. Then send the whole list again.',
  },
  rejects_expired: {
    status: 410,
    meaning: 'The rejected rows of this import have been deleted. They are kept until rejectsExpireAt.',
    happens: 'The import ended longer ago than its rejected rows are kept.',
    cure: 'Import the file again to get its rejected rows again. Contacts that exist are updated, not duplicated.',
  },
} as const satisfies Record<string, ErrorDescription>;
