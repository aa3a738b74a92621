import { Connection } from '@temporalio/client';
import { pino } from 'pino';
import { findFreePort } from '../scripts/embedded/ports.ts';
import { startTemporal, type EmbeddedTemporal } from '../scripts/embedded/temporal.ts';
import { keepSearchAttributes } from '../src/temporal.ts';
import { until } from './helpers/until.ts';

let temporal: EmbeddedTemporal | undefined;
let connection: Connection | undefined;

afterEach(async () => {
  await connection?.close();
  await temporal?.stop();
}, 30_000);

test('a Temporal that comes back with an empty database gets the search attributes while the worker runs', async () => {
  const port = await findFreePort();
  // In memory: each start is empty.
  const startEmpty = () =>
    startTemporal({
      ...{ executable: process.env['TEMPORAL_CLI'] ?? '', namespace: 'default', port },
      ...{ searchAttributes: {}, log: () => undefined },
    });
  temporal = await startEmpty();
  const opened = (connection = await Connection.connect({ address: temporal.address }));
  const names = async (): Promise<string> => {
    const { customAttributes } = await opened.operatorService.listSearchAttributes({ namespace: 'default' });
    return Object.keys(customAttributes).join();
  };
  const hasAll = async (): Promise<boolean> => {
    const listed = await names().catch(() => '');
    return ['OrganizationIds', 'Kind', 'WaitingFor'].every((name) => listed.includes(name));
  };
  expect(await hasAll()).toBe(false);

  const warned: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void warned.push(line) });
  const kept = keepSearchAttributes(opened, 'default', log, 50);
  await until('the attributes to be registered', hasAll, 30_000);
  await temporal.stop();
  temporal = await startEmpty();
  await until('the attributes to be registered again', hasAll, 30_000);
  await kept.stop();
  // Neither the outage nor what exists already is a failure.
  expect(warned).toEqual([]);
}, 120_000);
