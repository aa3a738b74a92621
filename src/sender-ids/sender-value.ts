import { normalizeRecipient } from '../messages/recipient.ts';

/** Specification section 2: characters of a sender ID request's value. */
const length = { min: 3, max: 20 };

/** Room for eleven septets in an originating address (3GPP TS 23.040, 9.1.2.5). */
const alphanumericLengthOnAir = 11;

/** Why a value cannot be a sender, as part of a sentence: no capital, no full stop. */
const refusals = {
  length: `it must have ${length.min} to ${length.max} characters`,
  characters: 'it may hold only the letters A-Z and a-z, digits, spaces, hyphens, underscores and dots',
  spacing: 'it must neither begin nor end with a space nor hold two in a row, which nobody can see',
  no_letter: 'without a letter it must be a phone number or a short code of 3 to 8 digits',
} as const;

export type SenderRefusal = keyof typeof refusals;

export type ClassifiedSender =
  | { kind: 'alphanumeric'; value: string; warning?: string }
  | { kind: 'number'; /** Canonical E.164. */ value: string }
  | { kind: 'short_code'; value: string }
  | { kind: 'invalid'; code: SenderRefusal; reason: string };

/**
 * Says what kind of sender a value is (contract section 6), or why it is none.
 *
 * Alphanumeric: letters, digits, spaces, `-`, `_` and `.`, at least one of them a letter. The letters are
 * those of ASCII: the network carries the address in GSM-7, and a Greek or Cyrillic letter that looks like a
 * Latin one would let one organization send in another's name. For the same reason spaces at the ends and in a
 * row are refused. Over 11 characters it is accepted with a warning for the reviewer.
 *
 * Number: what `normalizeRecipient` takes; `value` is its E.164, which is how inbound messages name it.
 * Short code: 3 to 8 digits that do not begin with 0. No Ethiopian number is as short, so the two never meet.
 */
export function classifySender(value: string): ClassifiedSender {
  if (value.length < length.min || value.length > length.max) return refuse('length');
  if (/[A-Za-z]/.test(value)) return classifyAlphanumeric(value);
  if (/^[1-9]\d{2,7}$/.test(value)) return { kind: 'short_code', value };
  const number = normalizeRecipient(value);
  if (number.ok) return { kind: 'number', value: number.e164 };
  return refuse(/^[+\d\s._()-]*$/.test(value) ? 'no_letter' : 'characters');
}

/**
 * Brings a sender that a caller names to the form in which approved ones are stored, so that a number is found in
 * whichever spelling. What cannot be a sender stays as it is: nothing approved is equal to it.
 */
export function normalizeSender(given: string): string {
  const sender = classifySender(given);
  return sender.kind === 'invalid' ? given : sender.value;
}

function classifyAlphanumeric(value: string): ClassifiedSender {
  if (!/^[A-Za-z0-9 \-_.]*$/.test(value)) return refuse('characters');
  if (/^ | $| {2}/.test(value)) return refuse('spacing');
  if (value.length <= alphanumericLengthOnAir) return { kind: 'alphanumeric', value };
  return {
    kind: 'alphanumeric',
    value,
    warning:
      `Most carriers cut an alphanumeric sender to ${alphanumericLengthOnAir} characters: ` +
      `handsets would show “${value.slice(0, alphanumericLengthOnAir)}”.`,
  };
}

function refuse(code: SenderRefusal): ClassifiedSender {
  return { kind: 'invalid', code, reason: refusals[code] };
}
