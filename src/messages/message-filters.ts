import { ApiError, type FieldError } from '../errors.ts';
import type { Inputs } from '../http/contract/contract-types.ts';
import { normalizeSender } from '../sender-ids/sender-value.ts';
import { normalizeRecipient } from './recipient.ts';

/**
 * The filters of a message list: `to` in E.164, `from` as `normalizeSender` returns it, `createdFrom` included and
 * `createdBefore` not. A missing filter matches every message.
 */
export type MessageFilters = Pick<Inputs['listMessages']['query'], 'status' | 'to' | 'from'> & {
  createdFrom?: Date;
  createdBefore?: Date;
};

/**
 * Reads the filters of GET /api/v1/messages from a query that was already validated against openapi.yaml. `to` and
 * `from` are accepted in every notation that a recipient and a sender may have. Errors: invalid_request.
 */
export function readMessageFilters(given: Inputs['listMessages']['query']): MessageFilters {
  const filters: MessageFilters = {};
  if (given.status !== undefined) filters.status = given.status;
  if (given.from !== undefined) filters.from = normalizeSender(given.from);
  if (given.to !== undefined) filters.to = readRecipient(given.to);
  for (const name of ['createdFrom', 'createdBefore'] as const) {
    if (given[name] !== undefined) filters[name] = readMoment(name, given[name]);
  }
  if (filters.createdFrom && filters.createdBefore && filters.createdFrom >= filters.createdBefore) {
    throw refuse('createdBefore', 'out_of_order', 'it must be later than createdFrom');
  }
  return filters;
}

function readRecipient(to: string): string {
  const recipient = normalizeRecipient(to);
  if (!recipient.ok) throw refuse('to', 'invalid_recipient', recipient.reason);
  return recipient.e164;
}

/**
 * The format was already checked, but it allows two kinds of values that are no valid time: a leap second (RFC 3339,
 * 5.6), which Date cannot represent, and February 30, which Date converts to a day in March.
 */
function readMoment(name: keyof MessageFilters, text: string): Date {
  const day = text.slice(0, 10);
  const [moment, midnight] = [new Date(text), new Date(`${day}T00:00:00Z`)];
  if (Number.isNaN(moment.getTime()) || midnight.toISOString().slice(0, 10) !== day) {
    throw refuse(name, 'wrong_format', 'it must be a valid date and time');
  }
  return moment;
}

function refuse(name: keyof MessageFilters, code: FieldError['code'], message: string): ApiError {
  return new ApiError('invalid_request', `The filter ${name} cannot be used: ${message}.`, {
    errors: [{ path: `/query/${name}`, code, message }],
  });
}
