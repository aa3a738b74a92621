import { normalizeRecipient } from '../messages/recipient.ts';

/** Specification section 2: the number of characters in the value of a sender ID request. */
const length = { min: 3, max: 20 };

/** An originating address holds eleven septets (3GPP TS 23.040, 9.1.2.5). */
const alphanumericLengthOnAir = 11;

/** Why a value cannot be a sender, as part of a sentence: no capital, no full stop. */
const refusals = {
  length: `it must have ${length.min} to ${length.max} characters`,
  characters: 'it may contain only the letters A-Z and a-z, digits, spaces, hyphens, underscores and dots',
  spacing: 'it must not begin or end with a space or contain two spaces in a row, because they are invisible',
  no_letter: 'without a letter it must be a phone number or a short code of 3 to 8 digits',
} as const;

export type SenderRefusal = keyof typeof refusals;

export type ClassifiedSender =
  | { kind: 'alphanumeric'; value: string; warning?: string }
  | { kind: 'number'; /** Canonical E.164. */ value: string }
  | { kind: 'short_code'; value: string }
  | { kind: 'invalid'; code: SenderRefusal; reason: string };

/**
 * Returns the kind of sender that a value is, or why it cannot be a sender.
 *
 * Alphanumeric: letters, digits, spaces, `-`, `_` and `.`, with at least one letter. Only ASCII letters are allowed:
 * the network transmits the address in GSM-7, and a Greek or Cyrillic letter that looks like a Latin one would let one
 * organization send in another's name. For the same reason, spaces at the start or end and several spaces in a row are
 * refused. A value of more than 11 characters is accepted with a warning for the reviewer.
 *
 * Number: a value that `normalizeRecipient` accepts. `value` is its E.164 form, as in inbound messages.
 * Short code: 3 to 8 digits that do not begin with 0. Ethiopian numbers are longer, so the two never overlap.
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
 * Converts a sender from a caller to the form in which approved senders are stored, so that a number is found in any
 * spelling. A value that cannot be a sender is returned unchanged: it equals no approved sender.
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
