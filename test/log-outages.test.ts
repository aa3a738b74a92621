import { createOutageLog } from '../src/log-outages.ts';

let lines: [fields: object, message: string][];
let nowMs: number;
const log = { warn: (...line: unknown[]) => void lines.push(line as [object, string]) };
const create = () => createOutageLog(log as never, 'the gateway', { route: 'test' }, () => nowMs);

beforeEach(() => {
  lines = [];
  nowMs = 0;
});

test('a part that works is not mentioned', () => {
  const outages = create();
  for (let count = 0; count < 5; count += 1) outages.succeeded();
  expect(lines).toEqual([]);
});

test('an outage is one warning a minute with its failures so far, and one when it is over', () => {
  const outages = create();
  for (nowMs = 0; nowMs < 150_000; nowMs += 1000) outages.failed('gateway_unreachable');
  outages.succeeded();
  outages.succeeded();
  const stopped = 'the gateway does not work; what it is needed for is retried';
  expect(lines).toEqual([
    [{ route: 'test', failures: 1, reason: 'gateway_unreachable' }, stopped],
    [{ route: 'test', failures: 61, reason: 'gateway_unreachable' }, stopped],
    [{ route: 'test', failures: 121, reason: 'gateway_unreachable' }, stopped],
    [{ route: 'test', failures: 150, outageSeconds: 150 }, 'the gateway works again'],
  ]);
});

test('a part that fails and works in turns causes two warnings a minute', () => {
  const outages = create();
  for (nowMs = 0; nowMs < 120_000; nowMs += 500) {
    outages.failed('gateway_unreachable');
    outages.succeeded();
  }
  expect(lines.map(([, message]) => message.includes('again'))).toEqual([false, true, false, true]);
});
