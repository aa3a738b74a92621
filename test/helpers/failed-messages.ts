import { v7 as uuidv7 } from 'uuid';
import { createSecretSealer } from '../../src/messages/sealer.ts';
import type { Environment } from '../../src/principal.ts';
import { securityCodePepper } from './api.ts';
import type { TestDatabase } from './databases.ts';
import type { Tenant } from './tenants.ts';

export interface FailedMessage {
  count?: number;
  errorCode?: string;
  environment?: Environment;
  sender?: string;
  createdAt?: Date;
  webhook?: { url: string; secret: string };
  oneTimeText?: boolean;
  status?: string;
}

/** Stores failed messages, a millisecond apart, each with the first entry of its timeline. Returns their ids. */
export async function storeFailedMessages(
  db: TestDatabase,
  tenant: Pick<Tenant, 'organizationId' | 'sender'>,
  options: FailedMessage = {},
): Promise<string[]> {
  const { count = 1, errorCode = 'dlr_timeout', environment = 'live', status = 'failed' } = options;
  const { sender = tenant.sender, createdAt = new Date(Date.now() - 60_000), webhook } = options;
  const sealed =
    webhook === undefined
      ? null
      : createSecretSealer({ pepper: securityCodePepper }).seal(tenant.organizationId, webhook.secret);
  const ids = Array.from({ length: count }, () => uuidv7());
  await db.query(
    `insert into messages (id, organization_id, environment, sender, recipient, text, encoding, segments, status,
        error_code, error_message, metadata, webhook_url, sealed_webhook_secret, created_at, failed_at, valid_until,
        attempts, provider_message_id, one_time_text)
      select id::uuid, ?::uuid, ?, ?, '+251911234567', 'Selam ' || n, 'gsm7', 1, ?, ?, 'It failed.',
        json_build_object('n', n), ?, decode(?, 'base64'), ?::timestamptz + n * interval '1 ms', now(), now(), 1, 'provider-' || n, ?
      from unnest(string_to_array(?, ',')) with ordinality as one(id, n)`,
    [
      ...[tenant.organizationId, environment, sender, status, errorCode],
      ...[webhook?.url ?? null, sealed, createdAt.toISOString()],
      ...[options.oneTimeText ?? false, ids.join(',')],
    ],
  );
  await db.query(
    `insert into message_events (organization_id, message_id, at, kind, status, details)
      select organization_id, id, created_at, 'queued', 'queued', '{}' from messages
      where id::text = any (string_to_array(?, ','))`,
    [ids.join(',')],
  );
  return ids;
}
