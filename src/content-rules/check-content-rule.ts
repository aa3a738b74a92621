import { ApiError } from '../errors.ts';
import type { Schemas } from '../http/contract/contract-types.ts';

const host = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}$/u;
const address = /^(?:[0-9]{1,3}\.){3}[0-9]{1,3}$/;

/**
 * Checks the values of a rule by its kind. Errors: invalid_request for a phrase without a letter or digit, which would
 * match nothing, and for what is no host.
 */
export function checkContentRule({
  kind,
  values,
}: Pick<Schemas['ContentRuleInput'], 'kind' | 'values'>): void {
  const [isValid, message]: [(value: string) => boolean, string] =
    kind === 'contains'
      ? [(value) => /[\p{L}\p{N}]/u.test(value), 'must contain a letter or a digit']
      : [
          (value) => host.test(value) || address.test(value),
          'must be a host such as example.com, without a scheme',
        ];
  const wrong = values.find((value) => !isValid(value));
  if (wrong === undefined) return;
  throw new ApiError('invalid_request', `The value "${wrong}" cannot be used: it ${message}.`, {
    errors: [{ path: '/body/values', code: 'wrong_format', message: `"${wrong}" ${message}` }],
  });
}
