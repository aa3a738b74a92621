import { getMigrations } from 'better-auth/db/migration';
import { pino } from 'pino';
import { build } from '../../src/auth/better-auth.ts';
import { authSecret } from '../helpers/api.ts';
import { createTestDatabase } from '../helpers/databases.ts';

test('better-auth finds every table, column and index it wants in our migrations', async () => {
  const { database, drop } = await createTestDatabase();
  const settings = { baseUrl: 'http://127.0.0.1', secret: authSecret, trustedOrigins: [] };
  const log = pino({ level: 'silent' });
  const { options } = build({ database, settings, mailer: null, log, now: () => new Date() }, []);
  const { toBeCreated, toBeAdded, compileMigrations } = await getMigrations(options);
  expect({ toBeCreated, toBeAdded }).toEqual({ toBeCreated: [], toBeAdded: [] });
  expect((await compileMigrations()).replace(/;/g, '').trim()).toBe('');
  await drop();
});
