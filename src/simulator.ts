import { loadSimulatorConfig } from './config.ts';
import { startSimulator } from './gateway/simulator.ts';
import { createLog } from './log.ts';
import { runUntilStopped } from './process.ts';

await runUntilStopped(async () => {
  const { logLevel, ...options } = loadSimulatorConfig();
  return startSimulator({ ...options, log: createLog('simulator', logLevel) });
});
