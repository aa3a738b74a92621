import type { RequestHandler } from 'express';
import { setTarget } from './contract.ts';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.source;
const isUuid = new RegExp(`^${uuid}$`, 'i');
const inPath = new RegExp(`(?<=/)${uuid}(?=/|$)`, 'gi');
const inQuery = new RegExp(`(?<=(?:^|&)(\\w+)=)${uuid}(?=&|$)`, 'gi');

/** How fields that hold an id of ours are called, and those that hold an id of someone else's instead. */
const idName = /^(?:id|\w+Id|memberIdOrEmail|sessionToken)$/;
const idsOfOthers = new Set(['accountId', 'providerMessageId', 'smscId']);

/**
 * Brings the ids of a request into the one form we write them in: UUIDs are read in either case (RFC 9562, section
 * 4), but PostgreSQL is not the only one to compare them. After this, one string is one id, in the path, the query
 * and the fields of the body; what lies deeper is the caller's own and stays as it is.
 */
export function lowerCaseIds(): RequestHandler {
  return (request, _response, next) => {
    const [path = '', ...rest] = request.url.split('?');
    const query = rest
      .join('?')
      .replace(inQuery, (id: string, name: string) => (isIdName(name) ? id.toLowerCase() : id));
    const target = [path.replace(inPath, (id) => id.toLowerCase()), ...(rest.length > 0 ? [query] : [])].join(
      '?',
    );
    if (target !== request.url) setTarget(request, target);
    const body: unknown = request.body;
    if (typeof body === 'object' && body !== null) lowerCaseFields(body as Record<string, unknown>);
    next();
  };
}

function lowerCaseFields(body: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(body)) {
    if (isIdName(name) && typeof value === 'string' && isUuid.test(value)) body[name] = value.toLowerCase();
  }
}

function isIdName(name: string): boolean {
  return idName.test(name) && !idsOfOthers.has(name);
}
