/**
 * npm run reseal: seals stored texts and webhook secrets with the current key: the first one of SEALING_KEYS or, without
 * one, SECURITY_CODE_PEPPER. The runbook says when.
 */
import { resealTwoFactors } from './auth/two-factor/reseal-two-factors.ts';
import { loadResealConfig } from './config.ts';
import { resealMessages } from './messages/reseal-messages.ts';
import { createNumberSealer, createSecondFactorSealer, createSecretSealer, createTextSealer } from './messages/sealer.ts';
import { openDatabase } from './open-database.ts';
import { resealHashKey } from './privacy/number-hash.ts';
import { runCommand } from './process.ts';

await runCommand(async () => {
  const config = loadResealConfig();
  const secrets = {
    pepper: config.SECURITY_CODE_PEPPER,
    previousPepper: config.SECURITY_CODE_PREVIOUS_PEPPER,
    keys: config.SEALING_KEYS,
  };
  if (secrets.previousPepper === undefined && secrets.keys.length === 0) {
    process.stderr.write(
      'Neither SEALING_KEYS nor SECURITY_CODE_PREVIOUS_PEPPER is set, so there is nothing to seal again.\n',
    );
    process.exit(2);
  }
  const database = await openDatabase({ url: config.DATABASE_URL, poolSize: 1 });
  try {
    const sealers = { text: createTextSealer(secrets), secret: createSecretSealer(secrets) };
    await resealHashKey(database, createNumberSealer(secrets));
    const { resealed, unreadable } = await resealMessages(database, sealers, (examined) =>
      process.stdout.write(`${examined} messages examined\n`),
    );
    process.stdout.write(
      `${resealed} messages are sealed with the ${secrets.keys.length > 0 ? `key ${secrets.keys[0]!.id}` : 'new pepper'} now.\n`,
    );
    const factors = await resealTwoFactors(database, createSecondFactorSealer(secrets));
    process.stdout.write(`${factors.resealed} secrets of authenticator apps as well.\n`);
    if (factors.unreadable > 0) {
      process.stdout.write(`${factors.unreadable} of these can be read with none of the keys.\n`);
      process.exitCode = 1;
    }
    if (unreadable > 0) {
      process.stdout.write(
        `${unreadable} messages can be read with none of the keys, and stay as they are. Look for an older key.\n`,
      );
      process.exitCode = 1;
    }
  } finally {
    await database.close();
  }
});
