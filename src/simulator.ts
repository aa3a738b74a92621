import { pino } from 'pino';
import { loadSimulatorConfig } from './config.ts';
import { startSimulator } from './gateway/simulator.ts';

/**
 * The simulator's process: the gateway of all messages of test keys. It sends `ready` to a parent that started
 * it with an IPC channel, and ends when that parent does.
 */
const config = loadSimulatorConfig();
const log = pino({ name: 'simulator', level: config.logLevel });
const simulator = await startSimulator({ ...config, log });

let stopping = false;
async function stop(reason: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info({ reason }, 'simulator stopping');
  await simulator.stop();
  process.exit(0);
}

process.on('SIGTERM', () => void stop('SIGTERM'));
process.on('SIGINT', () => void stop('SIGINT'));
process.on('disconnect', () => void stop('the parent process ended'));
process.send?.('ready');
