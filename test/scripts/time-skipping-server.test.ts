import { startTimeSkipping } from '../helpers/temporal-service.ts';

const dayMs = 24 * 60 * 60 * 1000;

it('the time-skipping server sleeps a year at once, and exactly a year', async () => {
  const environment = await startTimeSkipping();
  try {
    const before = await environment.currentTimeMs();
    await environment.sleep('365 days');
    const sleptDays = ((await environment.currentTimeMs()) - before) / dayMs;
    expect(sleptDays).toBeCloseTo(365, 2);
  } finally {
    await environment.teardown();
  }
}, 60_000);
