import * as fc from 'fast-check';
import { pino } from 'pino';
import { createRequestCounter, type Counted } from '../../src/rate-limits/count-requests.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';

let db: TestDatabase;

beforeAll(async () => {
  db = await createTestDatabase();
});

afterAll(() => db.drop());

/** Counts requests one after the other: what the counter of the service returns for them together. */
function createModel(): (requests: Counted[]) => { limit: number; remaining: number }[] {
  const used = new Map<string, number>();
  const use = ({ subject, limit }: Counted[0]) => {
    used.set(subject, (used.get(subject) ?? 0) + 1);
    return { limit, remaining: limit - used.get(subject)! };
  };
  return (requests) => {
    // All first subjects are counted before any second one.
    const firsts = requests.map(([first]) => use(first));
    return requests.map(([, second], index) => {
      const first = firsts[index]!;
      if (!second || first.remaining < 0) return first;
      const other = use(second);
      return other.remaining < first.remaining ? other : first;
    });
  };
}

// Three sessions, each acting for either of two organizations or for none.
const request = fc
  .record({ caller: fc.nat(2), organization: fc.nat(2) })
  .map(
    ({ caller, organization }): Counted =>
      [
        { subject: `session:${caller}`, limit: 3 + 2 * caller },
        ...(organization > 0 ? [{ subject: `organization:${organization}`, limit: 3 + organization }] : []),
      ] as Counted,
  );
const batches = fc.array(fc.array(request, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 });

test('requests that are counted together get what they would get one after the other', async () => {
  let nowMs = Date.parse('2026-11-21T08:00:00.000Z');
  await fc.assert(
    fc.asyncProperty(batches, async (given) => {
      nowMs += 60_000;
      const counter = createRequestCounter(db.database, pino({ level: 'silent' }), () => new Date(nowMs));
      const model = createModel();
      for (const requests of given) {
        const allowances = await Promise.all(requests.map((one) => counter.count(one)));
        expect(allowances.map(({ limit, remaining }) => ({ limit, remaining }))).toEqual(model(requests));
      }
      counter.stop();
    }),
    { numRuns: 50 },
  );
});
