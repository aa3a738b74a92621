import * as fc from 'fast-check';
import { createShares } from '../../src/rate-limits/shares.ts';

const perOrganization = 3;
const aloneAfterMs = 1000;

type Step = { enter: string } | { leave: number } | { passMs: number };

/** What happens: work of an organization enters, work in hand leaves, time passes. */
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ enter: fc.constantFrom('busy', 'busy', 'a', 'b') }) },
    { weight: 3, arbitrary: fc.record({ leave: fc.nat() }) },
    { weight: 1, arbitrary: fc.record({ passMs: fc.constantFrom(10, 500, 2000) }) },
  ),
  { maxLength: 200 },
);

type Work = { organizationId: string; index: number };

function play(given: readonly Step[], onBegin?: (work: Work, inWork: Work[], alone: boolean) => void) {
  let nowMs = 0;
  const shares = createShares({ perOrganization, aloneAfterMs, nowMs: () => nowMs });
  const entered: Work[] = [];
  const begun: Work[] = [];
  const seenAtMs = new Map<string, number>();
  let inWork: Work[] = [];
  const leave = (work: Work): void => {
    inWork = inWork.filter((other) => other !== work);
    shares.leave(work.organizationId);
  };
  for (const step of given) {
    if ('passMs' in step) nowMs += step.passMs;
    else if ('leave' in step) {
      if (inWork.length > 0) leave(inWork[step.leave % inWork.length]!);
    } else {
      const organizationId = step.enter;
      const work = { organizationId, index: entered.length };
      entered.push(work);
      seenAtMs.set(organizationId, nowMs);
      shares.enter(organizationId, () => {
        const others = [...seenAtMs].filter(([id]) => id !== organizationId).map(([, atMs]) => atMs);
        onBegin?.(work, inWork, Math.max(...others) < nowMs - aloneAfterMs);
        begun.push(work);
        inWork.push(work);
        return true;
      });
    }
  }
  while (inWork.length > 0) leave(inWork[0]!);
  return { entered, begun };
}

test('all work begins once, that of one organization in the order of arrival', () => {
  fc.assert(
    fc.property(steps, (given) => {
      const { entered, begun } = play(given);
      expect(begun).toHaveLength(entered.length);
      for (const organizationId of ['busy', 'a', 'b']) {
        const own = (works: Work[]) => works.filter((work) => work.organizationId === organizationId);
        expect(own(begun)).toEqual(own(entered));
      }
    }),
  );
});

test('unless an organization is alone, no more of its work is in hand than its share', () => {
  fc.assert(
    fc.property(steps, (given) => {
      let most = 0;
      play(given, ({ organizationId }, inWork, alone) => {
        const own = inWork.filter((work) => work.organizationId === organizationId).length;
        if (!alone) most = Math.max(most, own + 1);
      });
      expect(most).toBeLessThanOrEqual(perOrganization);
    }),
  );
});

/** Enters work that stays in hand. Returns what has begun, in order. */
function enterAll(names: string[]): { begun: string[]; shares: ReturnType<typeof createShares> } {
  const shares = createShares({ perOrganization, aloneAfterMs, nowMs: () => 0 });
  const begun: string[] = [];
  for (const name of names) shares.enter(name, () => begun.push(name) > 0);
  return { begun, shares };
}

test('alone, nothing waits', () => {
  expect(enterAll(Array.from({ length: 50 }, () => 'busy')).begun).toHaveLength(50);
});

test('the work of an organization begins at once, however much of another waits', () => {
  const { begun } = enterAll(['quiet', ...Array.from({ length: 50 }, () => 'busy'), 'quiet']);
  expect(begun).toEqual(['quiet', 'busy', 'busy', 'busy', 'quiet']);
});

test('work that is not there any more when its time comes leaves its share to the next', () => {
  const { begun, shares } = enterAll(['quiet', 'busy', 'busy', 'busy']);
  for (let index = 0; index < 20_000; index += 1) shares.enter('busy', () => false);
  shares.enter('busy', () => begun.push('the next') > 0);
  shares.leave('busy');
  expect(begun.at(-1)).toBe('the next');
});

test('an organization is alone once no other one has entered for longer than the time of that', () => {
  let nowMs = 0;
  const shares = createShares({ perOrganization, aloneAfterMs, nowMs: () => nowMs });
  const begun: string[] = [];
  const enter = (name: string) => shares.enter(name, () => begun.push(name) > 0);
  enter('quiet');
  nowMs = aloneAfterMs;
  for (let index = 0; index < 5; index += 1) enter('busy');
  expect(begun).toEqual(['quiet', 'busy', 'busy', 'busy']);
  nowMs += 1;
  enter('busy');
  expect(begun).toHaveLength(7);
});

test('an organization is not alone any more as soon as another one has entered', () => {
  let nowMs = 0;
  const shares = createShares({ perOrganization, aloneAfterMs, nowMs: () => nowMs });
  let begun = 0;
  shares.enter('quiet', () => true);
  for (let index = 0; index < 6; index += 1) shares.enter('busy', () => (begun += 1) > 0);
  nowMs = 2 * aloneAfterMs;
  shares.enter('quiet', () => true);
  shares.leave('busy');
  expect(begun).toBe(perOrganization + 1);
});

test('without a clock of its own, it has that of the process', () => {
  const shares = createShares({ perOrganization: 1, aloneAfterMs });
  let begun = 0;
  for (let index = 0; index < 3; index += 1) shares.enter('busy', () => (begun += 1) > 0);
  expect(begun).toBe(3);
});
