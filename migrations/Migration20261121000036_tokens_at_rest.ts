import { Migration } from '@mikro-orm/migrations';

/**
 * Tokens of sessions and of reset links are stored as their hashes: src/auth/session-token.ts, and better-auth's
 * `storeIdentifier`. Sessions and links go on. To processes of the version before they are unknown until those are
 * replaced, and so are sessions that those open meanwhile to the ones that replace them.
 */
export class Migration20261121000036_tokens_at_rest extends Migration {
  override up(): void {
    this.addSql(`update sessions set token = encode(sha256(convert_to(token, 'UTF8')), 'hex');`);
    // Sign-ins under way at a provider are in the browser from now on.
    this.addSql(`delete from verifications where identifier not like 'reset-password:%';`);
    this.addSql(`
      update verifications set identifier =
        rtrim(translate(encode(sha256(convert_to(identifier, 'UTF8')), 'base64'), '+/', '-_'), '=');
    `);
    // A password that is set ends the links of its user, who is their value: src/auth/end-reset-links.ts.
    this.addSql(`create index verifications_value_idx on verifications (value);`);
  }
}
