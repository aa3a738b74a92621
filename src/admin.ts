/**
 * npm run admin -- create EMAIL | promote EMAIL: creates or promotes a service administrator. There is no endpoint for
 * the first administrator; access to the database is sufficient permission.
 */
import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { z } from 'zod';
import { recordAuditEvent } from './audit/record-audit-event.ts';
import { createUser, generatePassword } from './auth/create-user.ts';
import { User } from './auth/user.entity.ts';
import { loadDatabaseConfig } from './config.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { CommandError, runCommand } from './process.ts';

const usage = `Usage:
  npm run admin -- create EMAIL    create an administrator; the password is shown once
  npm run admin -- promote EMAIL   make an existing user an administrator`;

/** The person who runs the command, as the actor in the audit log. */
const operator = { actor: { kind: 'system', id: null }, impersonatedBy: null, organizationId: null } as const;

await runCommand(async () => {
  const [command, email, ...rest] = process.argv.slice(2);
  const run = { create, promote }[command as 'create'];
  if (!run || email === undefined || rest.length > 0) throw new CommandError(usage);
  if (!z.email().safeParse(email).success)
    throw new CommandError(`${email} is not a valid e-mail address.\n${usage}`);
  const { DATABASE_URL } = loadDatabaseConfig();
  const database = await openDatabase({ url: DATABASE_URL, poolSize: 1 });
  try {
    process.stdout.write(await run(database, email.toLowerCase()));
  } finally {
    await database.close();
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
    throw new CommandError(
      `The user ${email} already exists. To make them an administrator: npm run admin -- promote ${email}`,
    );
  }
  return `Created the administrator ${email}. The password is shown only once:\n${password}\n`;
}

async function promote(database: Database, email: string): Promise<string> {
  const em = database.em.fork();
  const user = await em.findOne(User, { email });
  if (!user)
    throw new CommandError(
      `The user ${email} does not exist. To create an administrator: npm run admin -- create ${email}`,
    );
  user.role = 'admin';
  user.updatedAt = new Date();
  recordAuditEvent(em, operator, {
    action: 'user.role_changed',
    subjectId: user.id,
    details: { role: 'admin' },
  });
  await em.flush();
  return `${email} is an administrator, effective from the next request.\n`;
}
