import type { TestApi } from './api.ts';
import type { TestDatabase } from './databases.ts';

/** What was sent: codes to numbers that begin with a prefix, and how many of them were verified. */
export interface SentCodes {
  /** All digits but the last four. */
  beginning: string;
  codes: number;
  verified?: number;
  at: Date;
  /** The status of their messages. */
  status?: string;
}

/**
 * Creates the function that stores many codes of an organization as if they had been sent: copies of one that was.
 *
 * @param key of the organization, live or test
 */
export async function createCodeMill(
  api: TestApi,
  db: TestDatabase,
  key: string,
): Promise<(sent: SentCodes) => Promise<void>> {
  const { body } = await api.call('POST', '/api/v1/security-codes/send', {
    key,
    json: { to: '+81312345678' },
  });
  const [model] = await db.query<{ id: string }>(
    `update security_codes set created_at = '2020-01-01' where id = ? returning id`,
    [body.verificationId],
  );
  return async ({ beginning, codes, verified = 0, at, status = 'delivered' }) => {
    await db.query(
      `with copy as materialized (
          select gen_random_uuid() as id, gen_random_uuid() as message_id, number,
            ? || lpad(number::text, 4, '0') as recipient
          from generate_series(1, ?::int) number
        ), message as (
          insert into messages
          select (jsonb_populate_record(messages, jsonb_build_object(
            'id', copy.message_id, 'status', ?::text, 'recipient', copy.recipient, 'created_at', ?::timestamptz
          ))).*
          from messages cross join copy where messages.id = ?
        )
        insert into security_codes
        select (jsonb_populate_record(security_codes, jsonb_build_object(
          'id', copy.id, 'message_id', copy.message_id, 'recipient', copy.recipient, 'created_at', ?::timestamptz,
          'status', case when number <= ?::int then 'verified' else 'expired' end
        ))).*
        from security_codes cross join copy where security_codes.id = ?`,
      [beginning, codes, status, at.toISOString(), body.messageId, at.toISOString(), verified, model!.id],
    );
  };
}
