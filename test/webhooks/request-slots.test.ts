import { createRequestSlots } from '../../src/webhooks/attempts/request-slots.ts';

const at = (host: string, organizationId = host) => ({ origin: `https://${host}`, organizationId });

test('a host has as many places as are its own, and gets each back', () => {
  const places = createRequestSlots({ total: 100, perHost: 2 });
  expect([1, 2, 3].map(() => places.take(at('slow')))).toEqual([true, true, false]);
  expect(places.take(at('fast'))).toBe(true);
  places.release(at('slow'), 10_000);
  expect([1, 2].map(() => places.take(at('slow')))).toEqual([true, false]);
});

test('hosts are told apart by scheme and port', () => {
  const places = createRequestSlots({ total: 100, perHost: 1 });
  for (const origin of ['http://a.example', 'https://a.example', 'https://a.example:8443'])
    expect(places.take({ origin, organizationId: 'a' })).toBe(true);
});

test('one organization has half of the places, however many names it gives its hosts', () => {
  const places = createRequestSlots({ total: 10, perHost: 8 });
  const taken = Array.from({ length: 10 }, (_, index) => places.take(at(`host-${index}`, 'greedy')));
  expect(taken.filter(Boolean)).toHaveLength(5);
  expect(places.take(at('other', 'modest'))).toBe(true);
  places.release(at('host-0', 'greedy'), 5);
  expect(places.take(at('host-10', 'greedy'))).toBe(true);
});

test('a process has no more than its places', () => {
  const places = createRequestSlots({ total: 3, perHost: 8 });
  expect(['a', 'b', 'c', 'd'].map((host) => places.take(at(host)))).toEqual([true, true, true, false]);
});

test('what finds no place waits its turn: the longer, the more wait before it and the slower the host', () => {
  const places = createRequestSlots({ total: 100, perHost: 2, nowMs: () => 1_000 });
  const slow = at('slow');
  for (let round = 0; round < 50; round += 1) {
    places.take(slow);
    places.take(slow);
    places.release(slow, 10_000);
  }
  const waits = Array.from({ length: 4 }, () => places.queue(slow.origin, 4));
  // Two at a time, ten seconds each: four deliveries take twenty.
  expect(waits[0]).toBe(250);
  expect(waits[1]).toBeGreaterThan(18_000);
  expect(waits[1]).toBeLessThanOrEqual(20_000);
  expect(waits[2]! - waits[1]!).toBeCloseTo(waits[1]!, -1);
});

test('a host is taken for as slow as it has kept us waiting, and nothing waits more than a minute', () => {
  let nowMs = 0;
  const places = createRequestSlots({ total: 100, perHost: 2, nowMs: () => nowMs });
  const { origin } = at('silent');
  places.take(at('silent'));
  expect([places.queue(origin, 20), places.queue(origin, 20)]).toEqual([250, 250]);
  nowMs = 5_000;
  expect([places.queue(origin, 20), places.queue(origin, 200), places.queue(origin, 1)]).toEqual([
    250, 50_000, 60_000,
  ]);
});

describe('a host that answers fast', () => {
  let nowMs = 0;
  const takeAll = (places: ReturnType<typeof createRequestSlots>): number => {
    let taken = 0;
    while (places.take(at('fast'))) taken += 1;
    return taken;
  };
  /** Slots of a process in which the host has answered its first requests at once. */
  const proved = () => {
    nowMs = 0;
    const places = createRequestSlots({ total: 1000, perHost: 2, nowMs: () => nowMs });
    expect(takeAll(places)).toBe(2);
    places.release(at('fast'), 1);
    places.release(at('fast'), 1);
    return places;
  };

  test('gets eight times as many places', () => {
    expect(takeAll(proved())).toBe(16);
  });

  test('is claimed for only when half of its places can be filled, or all that wait', () => {
    const places = proved();
    expect(takeAll(places)).toBe(16);
    for (let freed = 0; freed < 7; freed += 1) places.release(at('fast'), 1);
    expect([7, 8, 100].map((waiting) => places.isWorthClaiming(at('fast').origin, waiting))).toEqual([
      true,
      false,
      false,
    ]);
    places.release(at('fast'), 1);
    expect(places.isWorthClaiming(at('fast').origin, 100)).toBe(true);
  });

  test('gets no more than its own once it is silent, or slow', () => {
    const places = proved();
    places.take(at('fast'));
    places.take(at('fast'));
    nowMs = 200;
    expect(places.take(at('fast'))).toBe(false);
    places.release(at('fast'), 1000);
    expect([1, 2].map(() => places.take(at('fast')))).toEqual([true, false]);
  });
});

test('of many hosts, those without requests are forgotten', () => {
  const places = createRequestSlots({ total: 10_000, perHost: 1 });
  for (let host = 0; host < 2000; host += 1) {
    places.take(at(`host-${host}`));
    places.release(at(`host-${host}`), 1);
  }
  // A remembered host is fast, a forgotten one has to prove it again.
  const isFast = (host: string): boolean => places.take(at(host)) && places.take(at(host));
  expect([isFast('host-1999'), isFast('host-0')]).toEqual([true, false]);
});

test('the queue of a host that has answered all is remembered no more', () => {
  const places = createRequestSlots({ total: 100, perHost: 1 });
  places.take(at('slow'));
  places.queue(at('slow').origin, 1_000);
  places.release(at('slow'), 10_000);
  expect(places.queue(at('slow').origin, 1)).toBe(250);
});
