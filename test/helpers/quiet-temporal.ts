import { DefaultLogger, Runtime } from '@temporalio/worker';

// A process has one runtime of Temporal, and a module runs once in it.
Runtime.install({ logger: new DefaultLogger('ERROR') });
