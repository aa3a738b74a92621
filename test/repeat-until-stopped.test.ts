import { repeatUntilStopped } from '../src/repeat-until-stopped.ts';
import { until } from './helpers/until.ts';

const anHourMs = 3_600_000;

test('a failure is told once an outage, and the rounds go on', async () => {
  const fails = [true, true, false, true, true, true, false];
  const told: unknown[] = [];
  let rounds = 0;
  const repeated = repeatUntilStopped({
    pauseMs: 1,
    round: () => {
      rounds += 1;
      return fails[rounds - 1] ? Promise.reject(new Error(`round ${rounds}`)) : Promise.resolve();
    },
    onFailure: (error) => told.push((error as Error).message),
  });
  await until('the rounds', () => rounds > fails.length);
  await repeated.stop();
  expect(told).toEqual(['round 1', 'round 4']);
});

test('the first round is at once, and to stop ends the pause after it, for good', async () => {
  let rounds = 0;
  const repeated = repeatUntilStopped({
    pauseMs: anHourMs,
    round: () => Promise.resolve((rounds += 1)),
    onFailure: () => undefined,
  });
  await until('the first round', () => rounds === 1);
  await repeated.stop();
  expect(rounds).toBe(1);
});

test('to stop tells the round that runs, waits for its end, and lets no other begin', async () => {
  let rounds = 0;
  let endRound = (): void => undefined;
  let isStopped = false;
  let isStopping = false;
  const repeated = repeatUntilStopped({
    pauseMs: 0,
    round: (stopping) => {
      rounds += 1;
      stopping.addEventListener('abort', () => (isStopping = true));
      return new Promise<void>((resolve) => (endRound = resolve));
    },
    onFailure: () => undefined,
  });
  const stopped = repeated.stop().then(() => (isStopped = true));
  expect(isStopping).toBe(true);
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  endRound();
  await stopped;
  expect(rounds).toBe(1);
});
