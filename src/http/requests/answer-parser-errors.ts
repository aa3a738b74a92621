import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { problemBody } from '../answer-errors.ts';
import { headersOfAll } from '../answer-headers.ts';
import { ApiError } from '../../errors.ts';

/**
 * Options for `createServer` of the API. Node responds to a request without Host with a 400 without details;
 * check-headers.ts sends a problem instead. 1,600 characters of a mobile-originated message take up to 19 KB in the URL
 * of a callback, more than Node's default of 16 KiB. A header that does not end is cut; a whole request may take as long
 * as the largest upload on a slow line.
 */
export const serverOptions = {
  requireHostHeader: false,
  maxHeaderSize: 32 * 1024,
  headersTimeout: 20_000,
  requestTimeout: 300_000,
  connectionsCheckingInterval: 5000,
} as const;

/**
 * Responds to input that Node's HTTP parser refuses before there is a request to route. The response is problem+json
 * with an id, like every other error. A request that Node would refuse because of its Expect
 * header is routed like all other requests.
 */
export function answerParserErrors(server: Server, baseUrl: string): void {
  const headers = Object.entries(headersOfAll(baseUrl)).map(([name, value]) => `${name}: ${value}`);
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    if (!socket.writable || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const tooLong = error.code === 'HPE_HEADER_OVERFLOW';
    const problem = new ApiError(
      tooLong ? 'payload_too_large' : 'malformed_request',
      tooLong ? 'The header is larger than 32 KiB.' : 'This is not a valid HTTP request.',
    );
    const requestId = uuidv7();
    const body = problemBody(problem, requestId, baseUrl);
    socket.end(
      [
        `HTTP/1.1 ${problem.status} ${tooLong ? 'Content Too Large' : 'Bad Request'}`,
        'Content-Type: application/problem+json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        ...headers,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  });
}
