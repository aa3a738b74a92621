import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { v7 as uuidv7 } from 'uuid';
import { problemBody } from './answer-errors.ts';
import { headersOfAll } from './answer-headers.ts';
import { ApiError } from '../errors.ts';

/**
 * For `createServer`: Node's own answer to a request without Host is a bare 400; check-headers.ts has a better one.
 * 1,600 characters of a message from a phone take up to 19 KB in a callback's URL, more than Node's 16 KiB.
 */
export const serverOptions = { requireHostHeader: false, maxHeaderSize: 32 * 1024 } as const;

/**
 * Answers what Node's HTTP parser refuses, before there is a request to route, like every other error: as
 * problem+json with an id (contract section 1). What Node would refuse for its Expect goes the way of all requests.
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
      tooLong ? 'The header is larger than 32 KiB.' : 'This is no HTTP request.',
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
