import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * What happens to a request on its way:
 *
 * - `pass`: nothing.
 * - `lost-request`: the connection breaks before the service has it.
 * - `lost-answer`, `half-answer`: the service has answered, and the connection breaks before or within the answer.
 * - `error-after-work`: the service has answered, and a proxy answers 502 in its place.
 * - `silence`: nobody answers.
 * - an answer: it is given in place of the service, which does not get the request.
 */
export type Fault =
  | ('pass' | 'lost-request' | 'lost-answer' | 'half-answer' | 'error-after-work' | 'silence')
  | { status: number; headers?: Record<string, string>; body: string };

export interface FaultProxy {
  baseUrl: string;
  /** The faults of the next requests, in order. Further requests pass. */
  faults: Fault[];
  /** Every request so far. */
  requests: { method: string; path: string; headers: IncomingHttpHeaders }[];
  stop: () => Promise<void>;
}

/** A problem of the service, as an answer of the proxy. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): Fault {
  return {
    status,
    headers: { 'Content-Type': 'application/problem+json', ...headers },
    body: JSON.stringify({
      type: '',
      title: code,
      status,
      detail: 'Made by the test.',
      code,
      requestId: 'r',
    }),
  };
}

/** Starts a server in front of an API, which treats requests as told. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const faults: Fault[] = [];
  const requests: FaultProxy['requests'] = [];
  const server = createServer((request, response) => {
    requests.push({ method: request.method!, path: request.url!, headers: request.headers });
    void serve(target, faults.shift() ?? 'pass', request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    faults,
    requests,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Headers that describe the connection to the proxy, and not the request. */
const ofConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

async function serve(
  target: string,
  fault: Fault,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await buffer(request);
  if (fault === 'silence') return;
  if (fault === 'lost-request') return void response.destroy();
  if (typeof fault === 'object') return void response.writeHead(fault.status, fault.headers).end(fault.body);
  const headers = Object.entries(request.headers).filter(([name]) => !ofConnection.has(name));
  const answer = await fetch(target + request.url!, {
    method: request.method!,
    headers: headers as [string, string][],
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
  const answered = Buffer.from(await answer.arrayBuffer());
  if (fault === 'lost-answer') return void response.destroy();
  if (fault === 'error-after-work') return void response.writeHead(502).end('<h1>Bad gateway</h1>');
  for (const name of ['content-type', 'x-request-id', 'retry-after', 'idempotency-replayed']) {
    const value = answer.headers.get(name);
    if (value !== null) response.setHeader(name, value);
  }
  response.writeHead(answer.status, answer.status === 204 ? {} : { 'Content-Length': answered.length });
  if (fault === 'pass') return void response.end(answered);
  // The half is on its way before the connection breaks.
  response.write(answered.subarray(0, Math.ceil(answered.length / 2)), () => response.destroy());
}
