import type { Server, ServerResponse } from 'node:http';
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
 * How long a refused connection is kept after its answer, in milliseconds. A server that closes while bytes arrive
 * resets the connection, and the client may lose the answer. One that does not close at all keeps a connection for each
 * client that does not close its side.
 */
const lingerMs = 1000;

/**
 * Responds to input that Node's HTTP parser refuses before there is a request to route, and to requests that take longer
 * than the limits of time. The response is problem+json with an id, like every other error, and the connection is
 * closed. A request that Node would refuse because of its Expect header is routed like all other requests.
 */
export function answerParserErrors(server: Server, baseUrl: string): void {
  const headers = Object.entries(headersOfAll(baseUrl)).map(([name, value]) => `${name}: ${value}`);
  const responses = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => responses.set(socket, response));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: Error & { code?: string }, socket: Duplex) => {
    const response = responses.get(socket);
    // No second answer to a request that was answered before its body had arrived, nor any in the middle of an answer.
    const isAnswered =
      response?.headersSent === true && !(response.req.complete && response.writableFinished);
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswered) {
      socket.destroy();
      return;
    }
    const { problem, reason } = problemOf(error.code);
    const requestId = uuidv7();
    const body = problemBody(problem, requestId, baseUrl);
    socket.end(
      [
        `HTTP/1.1 ${problem.status} ${reason}`,
        'Content-Type: application/problem+json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        ...headers,
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
    );
    const lingering = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(lingering));
  });
}

/** The error for a code of Node's, and the words that HTTP has for its status (RFC 9110, 15.5). */
function problemOf(code: string | undefined): { problem: ApiError; reason: string } {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return {
      problem: new ApiError('payload_too_large', 'The header is larger than 32 KiB.'),
      reason: 'Content Too Large',
    };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return {
      problem: new ApiError('request_timeout', 'The request did not arrive within its time.'),
      reason: 'Request Timeout',
    };
  }
  const problem = new ApiError('malformed_request', 'This is not a valid HTTP request.');
  return { problem, reason: 'Bad Request' };
}
