import { ApiError } from '../errors.ts';
import type { MessageStatus } from './message-status.ts';
import { normalizeSender } from '../sender-ids/sender-value.ts';
import { normalizeRecipient } from './recipient.ts';

/** Which messages a list shows; what is not given does not matter. */
export interface MessageFilters {
  status?: MessageStatus;
  /** E.164. */
  to?: string;
  /** The sender, by `normalizeSender`. */
  from?: string;
  /** Created at this moment or later. */
  createdFrom?: Date;
  /** Created before this moment. */
  createdBefore?: Date;
}

/**
 * Reads the filters of GET /api/v1/messages from a query that was held against openapi.yaml; `to` and
 * `from` may be written in any way that a recipient and a sender may. Errors: invalid_request.
 */
export function readMessageFilters(query: Record<string, unknown>): MessageFilters {
  const given = query as Partial<Record<keyof MessageFilters, string>>;
  const filters: MessageFilters = {};
  if (given.status !== undefined) filters.status = given.status as MessageStatus;
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
 * The format was checked, but it allows a leap second (RFC 3339, 5.6), which no Date can be, and a thirtieth of
 * February, of which Date makes a day in March.
 */
function readMoment(name: keyof MessageFilters, text: string): Date {
  const day = text.slice(0, 10);
  const [moment, midnight] = [new Date(text), new Date(`${day}T00:00:00Z`)];
  if (Number.isNaN(moment.getTime()) || midnight.toISOString().slice(0, 10) !== day) {
    throw refuse(name, 'wrong_format', 'it must be a moment that exists');
  }
  return moment;
}

function refuse(name: keyof MessageFilters, code: string, message: string): ApiError {
  return new ApiError('invalid_request', `The filter ${name} cannot be used: ${message}.`, {
    errors: [{ path: `/query/${name}`, code, message }],
  });
}
