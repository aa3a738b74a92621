import { ApiError } from '../errors.ts';
import { normalizeRecipient } from '../messages/recipient.ts';

/**
 * Returns the number of a person in E.164. Errors: invalid_recipient.
 *
 * @param path where the request has the number
 */
export function readNumber(phoneNumber: string, path: `/body/${string}` | `/query/${string}`): string {
  const number = normalizeRecipient(phoneNumber);
  if (number.ok) return number.e164;
  throw new ApiError('invalid_recipient', `This is not a phone number: ${number.reason}.`, {
    errors: [{ path, code: 'invalid_recipient', message: number.reason }],
  });
}
