import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { announceDeprecation, readDeprecation } from '../../src/http/contract/deprecation.ts';
import type { Operation } from '../../src/http/contract/contract.ts';

/** The headers of a response of an operation that the contract describes with these properties. */
async function headersOf(described: Record<string, unknown>): Promise<Headers> {
  const app = express();
  app.use((request, _response, next) => {
    request.operation = { deprecation: readDeprecation(described) } as Operation;
    next();
  });
  app.use(announceDeprecation('https://sms.example.com'));
  app.use((_request, response) => void response.send('x'));
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.closeAllConnections();
  server.close();
  return headers;
}

test('a response of a deprecated operation says since when, until when, and where to read on', async () => {
  const headers = await headersOf({
    deprecated: true,
    'x-deprecated-since': '2027-01-01',
    'x-sunset': '2027-07-01',
  });
  expect(Object.fromEntries(headers)).toMatchObject({
    deprecation: '@1798761600',
    sunset: 'Thu, 01 Jul 2027 00:00:00 GMT',
    link: '<https://sms.example.com/docs/releases>; rel="deprecation"',
  });
});

test('a response of another operation has none of these headers', async () => {
  const headers = await headersOf({});
  expect(['deprecation', 'sunset', 'link'].filter((name) => headers.has(name))).toEqual([]);
});

test.each([
  ['without dates', {}, 'x-deprecated-since'],
  ['without an end', { 'x-deprecated-since': '2027-01-01' }, 'x-sunset'],
  [
    'with a date that is none',
    { 'x-deprecated-since': 'soon', 'x-sunset': '2027-07-01' },
    'x-deprecated-since',
  ],
  ['that ends too soon', { 'x-deprecated-since': '2027-01-01', 'x-sunset': '2027-06-30' }, 'six months'],
])('a deprecated operation %s is refused at the start', (_name, dates, reason) => {
  expect(() => readDeprecation({ deprecated: true, ...dates })).toThrow(reason);
});
