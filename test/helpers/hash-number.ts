import type { Database } from '../../src/database.ts';
import { createNumberSealer } from '../../src/messages/sealer.ts';
import { createNumberHash, type HashNumber } from '../../src/privacy/number-hash.ts';
import { securityCodePepper } from './api.ts';

/** The hash of numbers that the test API has too. */
export function createTestHash(database: Database): HashNumber {
  return createNumberHash(database, createNumberSealer({ pepper: securityCodePepper }));
}
