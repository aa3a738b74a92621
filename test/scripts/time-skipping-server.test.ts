import { TestWorkflowEnvironment } from '@temporalio/testing';

// Set by `npm test` (scripts/test.ts), which obtains the server first.
const path = process.env.TIME_SKIPPING_SERVER ?? '';
const dayMs = 24 * 60 * 60 * 1000;

it('the time-skipping server sleeps a year at once, and exactly a year', async () => {
  const environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  });
  try {
    const before = await environment.currentTimeMs();
    await environment.sleep('365 days');
    const sleptDays = ((await environment.currentTimeMs()) - before) / dayMs;
    expect(sleptDays).toBeCloseTo(365, 2);
  } finally {
    await environment.teardown();
  }
}, 60_000);
