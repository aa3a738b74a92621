import { unescape } from 'node:querystring';
import type { RequestHandler } from 'express';
import { ApiError } from '../errors.ts';
import { setTarget } from './contract.ts';
import { decodePercents, escapeBarePercents } from './percent-encoding.ts';
import { refuseProtoName, refuseUnstorable } from './storable-values.ts';

/**
 * Brings the query of a request into one form, whoever wrote it: it is read as
 * application/x-www-form-urlencoded (a `+` is a space, a `%` that begins no byte is itself), and written again with
 * all reserved characters percent-encoded, which is the only form that the validator takes. An empty parameter that
 * is not required is as good as not given (contract section 1).
 *
 * Errors: invalid_request for what is no UTF-8 or cannot be stored.
 */
export function readQuery(): RequestHandler {
  return (request, _response, next) => {
    const start = request.url.indexOf('?');
    if (start >= 0) {
      const { queryParameters, replacesUnstorable } = request.operation;
      const pairs = readPairs(request.url.slice(start + 1), replacesUnstorable)
        .filter(([name, value]) => value !== '' || queryParameters.get(name)?.required !== false)
        .map(([name, value]) => `${encode(name)}=${encode(value)}`);
      setTarget(
        request,
        [request.url.slice(0, start), ...(pairs.length > 0 ? [pairs.join('&')] : [])].join('?'),
      );
    }
    next();
  };
}

function readPairs(query: string, replacesUnstorable: boolean): [name: string, value: string][] {
  const pairs = query.split('&').filter((pair) => pair !== '');
  return pairs.map((pair) => {
    const [encodedName = '', ...rest] = pair.split('=');
    if (replacesUnstorable) return [decodeLossily(encodedName), decodeLossily(rest.join('='))];
    const name = decode(encodedName, '/query');
    const path = `/query/${name}`;
    const value = decode(rest.join('='), path);
    refuseProtoName(name, '/query');
    refuseUnstorable(name, '/query');
    refuseUnstorable(value, path);
    return [name, value];
  });
}

function decode(encoded: string, path: string): string {
  try {
    return decodePercents(putSpaces(encoded));
  } catch {
    throw new ApiError('invalid_request', 'The query holds bytes that are no UTF-8.', {
      errors: [
        { path, code: 'invalid_characters', message: 'must be percent-encoded UTF-8 (RFC 3986, 2.1)' },
      ],
    });
  }
}

/** With U+FFFD for each byte that is no UTF-8. */
function decodeLossily(encoded: string): string {
  return unescape(escapeBarePercents(putSpaces(encoded)));
}

function putSpaces(encoded: string): string {
  return encoded.replaceAll('+', ' ');
}

/** `encodeURIComponent`, and what it leaves of the reserved characters (RFC 3986, 2.2). */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
