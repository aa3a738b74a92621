import type { RequestHandler } from 'express';
import { setTarget } from '../contract/contract.ts';

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.source;
const isUuid = new RegExp(`^${uuid}$`, 'i');
const inPath = new RegExp(`(?<=/)${uuid}(?=/|$)`, 'gi');
const inQuery = new RegExp(`(?<=(?:^|&)(\\w+)=)${uuid}(?=&|$)`, 'gi');

/** The names of fields that hold an id of this service, and of fields that hold an id of another system. */
const idName = /^(?:id|\w+Id|memberIdOrEmail|sessionToken)$/;
const idsOfOthers = new Set(['accountId', 'providerMessageId', 'smscId']);

/**
 * Converts the ids of a request to lower case. UUIDs are case-insensitive on input (RFC 9562, section 4), but not only
 * PostgreSQL compares them. After this, each id has one spelling in the path, the query and the fields of the body.
 * Deeper values belong to the caller and stay unchanged.
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
