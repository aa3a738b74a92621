import { assert, integer, property } from 'fast-check';
import { describeFault, planFaults, type TemporalName } from '../../chaos/plan.ts';

const seeds = integer({ min: 0, max: 2 ** 31 });
const durations = integer({ min: 10, max: 600 });

const isAtMostOnce = new Set(['wipe-temporal', 'fill-disk']);

test('a plan is a function of its seed', () => {
  assert(
    property(seeds, durations, (seed, seconds) => {
      expect(planFaults(seed, seconds)).toEqual(planFaults(seed, seconds));
    }),
  );
});

test('only with Temporal on PostgreSQL do faults strike its server', () => {
  const targets = (temporalName: TemporalName): unknown[] =>
    planFaults(1, 300, temporalName).flatMap((fault) => ('target' in fault ? [fault.target] : []));
  expect(targets('development')).not.toContain('temporal-postgres');
  expect(targets('postgresql')).toContain('temporal-postgres');
});

test('different seeds give different plans', () => {
  const plans = Array.from({ length: 50 }, (_one, seed) => JSON.stringify(planFaults(seed, 60)));
  expect(new Set(plans).size).toBe(50);
});

test('each fault begins while the clients run, in the order of time, and lasts at most 12 seconds', () => {
  assert(
    property(seeds, durations, (seed, seconds) => {
      const plan = planFaults(seed, seconds);
      for (const [index, { atMs, durationMs }] of plan.entries()) {
        expect(atMs).toBeGreaterThanOrEqual(plan[index - 1]?.atMs ?? 2000);
        expect(atMs).toBeLessThan(seconds * 1000);
        expect(durationMs).toBeLessThanOrEqual(12_000);
      }
    }),
  );
});

test('a run wipes Temporal and fills the disk at most once, and a run of three minutes does both', () => {
  assert(
    property(seeds, durations, (seed, seconds) => {
      const kinds = planFaults(seed, seconds).flatMap(({ kind }) => (isAtMostOnce.has(kind) ? [kind] : []));
      expect(new Set(kinds).size).toBe(kinds.length);
      if (seconds >= 180) expect(kinds).toHaveLength(2);
    }),
  );
});

test('a run of five minutes has every fault of a process, a connection, a report and a receiver', () => {
  const describeWithoutNumbers = (seed: number): Set<string> =>
    new Set(
      planFaults(seed, 300).map((fault) =>
        describeFault({ ...fault, atMs: 0 }).replace(/-?\d+\.?\d* m?s/g, ''),
      ),
    );
  assert(
    property(seeds, (seed) => {
      const kinds = [...describeWithoutNumbers(seed)].map((line) => line.replace(/ (for|by) .*$/, '').trim());
      for (const name of [
        'kill postgres',
        'pause postgres',
        'kill temporal',
        'pause temporal',
        'kill worker-1',
      ])
        expect(kinds).toContain(name);
      for (const fault of ['late', 'twice', 'shuffled', 'lost'])
        expect(kinds).toContain(`delivery reports: ${fault}`);
      for (const fault of ['hang', 'refuse', 'half']) expect(kinds).toContain(`webhook receivers: ${fault}`);
      expect(kinds).toContain('cut worker-1>gateway');
      expect(kinds).toContain('cut clients>api-2');
    }),
  );
});
