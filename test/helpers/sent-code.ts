import { createTextSealer } from '../../src/messages/sealer.ts';
import { securityCodePepper } from './api.ts';
import type { TestDatabase } from './databases.ts';

/** Returns the text that a worker would submit for a waiting message, read as the worker reads it. */
export async function sealedTextOf(db: TestDatabase, messageId: string): Promise<string> {
  const [row] = await db.query<{ sealed: string }>(
    `select encode(sealed_text, 'base64') as sealed from messages where id = ?`,
    [messageId],
  );
  return createTextSealer({ pepper: securityCodePepper }).unseal(messageId, row!.sealed);
}

/** The code of a message with the default template. */
export async function codeOf(db: TestDatabase, messageId: string): Promise<string> {
  return (await sealedTextOf(db, messageId)).replace('Your code is ', '');
}
