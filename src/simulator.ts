import { loadSimulatorConfig } from './config.ts';
import { startSimulator } from './gateway/simulator.ts';
import { createLog } from './log.ts';
import { metrics } from './metrics.ts';
import { serveOperations } from './operations/serve-operations.ts';
import { runUntilStopped } from './process.ts';

await runUntilStopped(async () => {
  const { logLevel, metrics: metricsAddress, ...options } = loadSimulatorConfig();
  const log = createLog('simulator', logLevel);
  const simulator = await startSimulator({ ...options, log });
  const operations = await serveOperations({
    ...metricsAddress,
    checks: [],
    measures: [
      () => {
        const { taken, pendingMessages, reportsDelivered, reportsLost } = simulator.stats();
        const counts = { taken, waiting: pendingMessages, reported: reportsDelivered, lost: reportsLost };
        for (const [state, count] of Object.entries(counts)) metrics.simulatorMessages.set({ state }, count);
      },
    ],
    log,
  });
  return {
    stop: async () => {
      await simulator.stop();
      await operations.stop();
    },
  };
});
