/**
 * npm run admin -- create EMAIL | promote EMAIL: makes an administrator of the service. There is no endpoint for
 * the first one: whoever can reach the database may.
 */
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { z } from 'zod';
import { recordAuditEvent } from './audit/record-audit-event.ts';
import { createUser, generatePassword } from './auth/create-user.ts';
import { User } from './auth/user.entity.ts';
import { loadDatabaseConfig } from './config.ts';
import { isDatabaseUnreachable, type Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { runToEnd } from './process.ts';

const usage = `Usage:
  npm run admin -- create EMAIL    make a new administrator; his password is shown once
  npm run admin -- promote EMAIL   make a user administrator`;

/** What the command has to say to whoever ran it; anything else is a bug. */
class AdminError extends Error {
  override name = 'AdminError';
}

/** Whoever runs the command, as the audit log names him. */
const operator = { actor: { kind: 'system', id: null }, impersonatedBy: null, organizationId: null } as const;

await runToEnd(async () => {
  try {
    const [command, email, ...rest] = process.argv.slice(2);
    const run = { create, promote }[command as 'create'];
    if (!run || email === undefined || rest.length > 0) throw new AdminError(usage);
    if (!z.email().safeParse(email).success) throw new AdminError(`${email} is no e-mail address.\n${usage}`);
    const { DATABASE_URL } = loadDatabaseConfig();
    const database = await openDatabase({ url: DATABASE_URL, poolSize: 1 });
    try {
      process.stdout.write(await run(database, email.toLowerCase()));
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!(error instanceof AdminError) && !isDatabaseUnreachable(error)) throw error;
    const message =
      error instanceof AdminError ? error.message : 'The database of DATABASE_URL cannot be reached.';
    process.stderr.write(`${message}\n`);
    process.exitCode = 1;
  }
});

async function create(database: Database, email: string): Promise<string> {
  const em = database.em.fork();
  const password = generatePassword();
  const { id } = await createUser(em, { email, name: email, password, role: 'admin' });
  recordAuditEvent(em, operator, { action: 'user.created', subjectId: id, details: { role: 'admin' } });
  try {
    await em.flush();
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw new AdminError(
      `There is a user ${email} already. To make him administrator: npm run admin -- promote ${email}`,
    );
  }
  return `Made the administrator ${email}. His password, shown only now:\n${password}\n`;
}

async function promote(database: Database, email: string): Promise<string> {
  const em = database.em.fork();
  const user = await em.findOne(User, { email });
  if (!user) throw new AdminError(`There is no user ${email}. To make one: npm run admin -- create ${email}`);
  user.role = 'admin';
  user.updatedAt = new Date();
  recordAuditEvent(em, operator, {
    action: 'user.role_changed',
    subjectId: user.id,
    details: { role: 'admin' },
  });
  await em.flush();
  return `${email} is administrator from the next request on.\n`;
}
