/** `npm run bench -- NAME [OPTIONS]`: runs one of the benches below, each with its own service or database. */
import { allBench } from './all.ts';
import { analyticsBench } from './analytics.ts';
import { contactsBench } from './contacts.ts';
import { bulkBench } from './bulk.ts';
import { fairnessBench } from './fairness.ts';
import { clusterBench } from './cluster.ts';
import { growthBench } from './growth.ts';
import { hostileBodiesBench } from './hostile-bodies.ts';
import { messageListBench } from './message-list.ts';
import { rowLayoutsBench } from './row-layouts.ts';
import { streamsBench } from './streams.ts';

const benches: Record<string, (options: string[]) => Promise<void>> = {
  all: allBench,
  analytics: analyticsBench,
  bulk: bulkBench,
  cluster: clusterBench,
  send: ([messages = '5000']) => allBench(['1', messages, 'simulator']),
  contacts: contactsBench,
  fairness: fairnessBench,
  growth: growthBench,
  'hostile-bodies': () => hostileBodiesBench(),
  'message-list': messageListBench,
  'row-layouts': () => rowLayoutsBench(),
  streams: streamsBench,
};

const [name = '', ...options] = process.argv.slice(2);
const bench = benches[name];
if (!bench) {
  process.stderr.write(`Name a bench: ${Object.keys(benches).join(', ')}.\n`);
  process.exit(2);
}
await bench(options);
