/**
 * npm run reseal: seals stored texts and webhook secrets with SECURITY_CODE_PEPPER that are still sealed with
 * SECURITY_CODE_PREVIOUS_PEPPER. The runbook says when.
 */
import { loadResealConfig } from './config.ts';
import { resealMessages } from './messages/reseal-messages.ts';
import { createSecretSealer, createTextSealer } from './messages/sealer.ts';
import { openDatabase } from './open-database.ts';
import { runCommand } from './process.ts';

await runCommand(async () => {
  const config = loadResealConfig();
  const { SECURITY_CODE_PEPPER: pepper, SECURITY_CODE_PREVIOUS_PEPPER: previousPepper } = config;
  if (previousPepper === undefined) {
    process.stderr.write('SECURITY_CODE_PREVIOUS_PEPPER is not set, so there is nothing to seal again.\n');
    process.exit(2);
  }
  const database = await openDatabase({ url: config.DATABASE_URL, poolSize: 1 });
  try {
    const sealers = {
      text: createTextSealer(pepper, previousPepper),
      secret: createSecretSealer(pepper, previousPepper),
    };
    const { resealed, unreadable } = await resealMessages(database, sealers, (examined) =>
      process.stdout.write(`${examined} messages examined\n`),
    );
    process.stdout.write(`${resealed} messages are sealed with the new pepper now.\n`);
    if (unreadable > 0) {
      process.stdout.write(
        `${unreadable} messages can be read with neither pepper, and stay as they are. Look for an older pepper.\n`,
      );
      process.exitCode = 1;
    }
  } finally {
    await database.close();
  }
});
