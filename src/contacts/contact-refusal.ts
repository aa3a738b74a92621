import { ApiError } from '../errors.ts';
import { toFieldErrors, type ContactProblem } from './contact-fields.ts';

/** The error for a body that makes no contact: a number that cannot be sent to is a 422, all else a 400. */
export function contactRefusal(problems: ContactProblem[]): ApiError {
  const number = problems.find(({ field }) => field === 'phoneNumber');
  const errors = toFieldErrors(problems);
  return number
    ? new ApiError('invalid_recipient', `The phoneNumber cannot be used: ${number.message}.`, { errors })
    : new ApiError('invalid_request', 'The contact breaks a rule of the interface; see errors.', { errors });
}

export function numberTaken(): ApiError {
  return new ApiError('already_exists', 'The organization has a contact with this phoneNumber already.', {
    errors: [{ path: '/body/phoneNumber', code: 'already_exists', message: 'must be of no other contact' }],
  });
}
