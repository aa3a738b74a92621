import { unescape } from 'node:querystring';
import type { RequestHandler } from 'express';
import { ApiError } from '../../errors.ts';
import { setTarget } from '../contract/contract.ts';
import { decodePercents, escapeBarePercents } from './percent-encoding.ts';
import { refuseProtoName, refuseUnstorable } from '../storable-values.ts';

/**
 * Normalises the query of a request. It is read as application/x-www-form-urlencoded (a `+` is a space, a `%` that
 * does not begin an encoded byte is literal) and written again with all reserved characters percent-encoded, the only
 * form that the validator accepts. An empty optional parameter counts as absent.
 *
 * Errors: invalid_request for text that is not UTF-8 or cannot be stored.
 */
export function readQuery(): RequestHandler {
  return (request, _response, next) => {
    const start = request.url.indexOf('?');
    if (start >= 0) {
      const { queryParameters, replacesUnstorable } = request.operation;
      const pairs = readPairs(request.url.slice(start + 1), replacesUnstorable)
        .filter(([name, value], index, all) => {
          if (queryParameters.get(name)?.required !== false) return true;
          // The gateway drops a callback that is refused again and again: the first of several optional values counts.
          const isRepeated = replacesUnstorable && all.findIndex(([other]) => other === name) < index;
          return value !== '' && !isRepeated;
        })
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
    throw new ApiError('invalid_request', 'The query contains bytes that are not UTF-8.', {
      errors: [
        { path, code: 'invalid_characters', message: 'must be percent-encoded UTF-8 (RFC 3986, 2.1)' },
      ],
    });
  }
}

/** Replaces each byte that is not UTF-8 by U+FFFD. */
function decodeLossily(encoded: string): string {
  return unescape(escapeBarePercents(putSpaces(encoded)));
}

function putSpaces(encoded: string): string {
  return encoded.replaceAll('+', ' ');
}

/** Encodes like `encodeURIComponent`, and also the reserved characters that it leaves (RFC 3986, 2.2). */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
