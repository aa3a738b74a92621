import { ApiError } from '../errors.ts';
import { toFieldErrors, type ContactProblem } from './contact-fields.ts';

/**
 * The error for a body that is not a valid contact: 422 for a number that cannot receive messages, 400 for everything
 * else.
 */
export function contactRefusal(problems: ContactProblem[]): ApiError {
  const number = problems.find(({ field }) => field === 'phoneNumber');
  const errors = toFieldErrors(problems);
  return number
    ? new ApiError('invalid_recipient', `The phoneNumber cannot be used: ${number.message}.`, { errors })
    : new ApiError('invalid_request', 'The contact breaks a rule of the interface; see errors.', { errors });
}

export function numberTaken(): ApiError {
  return new ApiError('already_exists', 'The organization already has a contact with this phoneNumber.', {
    errors: [
      { path: '/body/phoneNumber', code: 'already_exists', message: 'must not belong to another contact' },
    ],
  });
}
