import { sql } from 'kysely';
import { openDatabase } from '../../src/open-database.ts';
import { sqlOf } from '../../src/database.ts';
import type { requestErrors } from '../../src/error-catalogue/request-errors.ts';
import type { sendingErrors } from '../../src/error-catalogue/sending-errors.ts';
import type { serverErrors } from '../../src/error-catalogue/server-errors.ts';
import { startTestApi } from './api.ts';
import { sendBytes, sendTo, type ErrorWorld, type Provoked } from './provoke-errors.ts';
import { startTcpProxy } from './tcp-proxy.ts';
import { createTenant } from './tenants.ts';

type Provocations<Codes> = Record<keyof Codes, () => Promise<Provoked>>;

const messages = '/api/v1/messages';
const message = { to: '+251911234567', text: 'Selam' };
const unknownId = '019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa';

/** How each error of a request is provoked. */
export function provokeRequestErrors(world: ErrorWorld): Provocations<typeof requestErrors> {
  const { db, api, strictApi, tenant, key, send, make, onStop } = world;
  return {
    invalid_request: () => send('POST', messages, { ...message, text: 'x'.repeat(1601) }),
    malformed_request: () => sendBytes(api, 'hello\r\n\r\n'),
    request_timeout: async () => {
      const listenerLimits = { headersTimeout: 200, connectionsCheckingInterval: 50 };
      const impatientApi = await startTestApi({ database: db.database, listenerLimits });
      onStop(impatientApi.stop);
      return sendBytes(impatientApi, 'GET /health HTTP/1.1\r\nHost: sms.example.com\r\n');
    },
    expectation_failed: () =>
      sendBytes(api, 'GET /health HTTP/1.1\r\nHost: sms.example.com\r\nExpect: x\r\n\r\n'),
    malformed_body: () =>
      send('POST', messages, undefined, { raw: { type: 'application/json', body: '{"to": 0911234567}' } }),
    payload_too_large: () =>
      send('POST', messages, undefined, {
        raw: { type: 'application/json', body: `"${'x'.repeat(2 ** 20)}"` },
      }),
    unsupported_media_type: () =>
      send('POST', messages, undefined, { raw: { type: 'text/plain', body: 'Selam' } }),
    not_found: () => send('GET', `${messages}/${unknownId}`),
    method_not_allowed: () => send('PUT', messages, message),
    invalid_state: async () => {
      const json = { ...message, scheduleType: 'once', startsAt: '2999-01-01T00:00:00Z' };
      const id = await make('/api/v1/messages/schedule', json);
      return send('PATCH', `/api/v1/message-schedules/${id}/status`, { action: 'resume' });
    },
    already_exists: async () => {
      const contact = { organizationId: tenant.organizationId, phoneNumber: '+251911000001' };
      await make('/api/v1/contacts', contact);
      return send('POST', '/api/v1/contacts', contact);
    },
    idempotency_in_progress: () =>
      sqlOf(db.database)
        .transaction()
        .execute(async (transaction) => {
          const name = JSON.stringify([tenant.organizationId, 'live', `POST ${messages}`, 'order-1']);
          await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
          return send('POST', messages, message, { headers: { 'Idempotency-Key': 'order-1' } });
        }),
    idempotency_key_reused: async () => {
      const options = { headers: { 'Idempotency-Key': 'order-2' } };
      await send('POST', messages, message, options);
      return send('POST', messages, { ...message, text: 'Another text' }, options);
    },
    rate_limited: async () => {
      await sendTo(strictApi, 'GET', messages, { key });
      return sendTo(strictApi, 'GET', messages, { key });
    },
  };
}

/** How each refusal of a message, and of what messages are made of, is provoked. */
export function provokeSendingErrors(world: ErrorWorld): Provocations<typeof sendingErrors> {
  const { db, tenant, administrator, send, make } = world;
  const { organizationId } = tenant;
  return {
    invalid_recipient: () => send('POST', messages, { ...message, to: '+25191123' }),
    sender_not_approved: () => send('POST', messages, { ...message, from: 'PARCELS' }),
    sender_required: async () => {
      const key = await (await createTenant(db.database, { sender: null })).createKey();
      return send('POST', messages, message, { key });
    },
    recipient_opted_out: async () => {
      await make('/api/v1/suppressions', { phoneNumber: '+251911000002' });
      return send('POST', messages, { ...message, to: '+251911000002' });
    },
    destination_not_allowed: async () => {
      const controls = '/api/v1/admin/sending-controls';
      await administrator.call('PUT', controls, { json: { held: false, destinations: ['+251'] } });
      const provoked = await send('POST', messages, { ...message, to: '+254711000002' });
      await administrator.call('PUT', controls, { json: { held: false } });
      return provoked;
    },
    content_refused: async () => {
      const rules = '/api/v1/admin/content-rules';
      const rule = {
        kind: 'link_in',
        values: ['bit.ly'],
        reason: 'Links through shorteners are not allowed.',
      };
      const { body } = await administrator.call('POST', rules, { json: rule });
      const provoked = await send('POST', messages, { ...message, text: 'Look: https://bit.ly/3xYz' });
      await administrator.call('DELETE', `${rules}/${body.id}`);
      return provoked;
    },
    security_codes_held: async () => {
      await db.query(
        `insert into security_code_alarms (id, organization_id, prefix, holds, codes, verified, raised_at, ends_at)
          values (gen_random_uuid(), ?, '+254711', true, 214, 3, now(), '2999-01-31T06:00:00Z')`,
        [organizationId],
      );
      return send('POST', '/api/v1/security-codes/send', { to: '+254711000002' });
    },
    sending_cap_reached: async () => {
      const controls = '/api/v1/admin/sending-controls';
      await administrator.call('PUT', controls, { json: { held: false, recipientMessagesPerDay: 1 } });
      await send('POST', messages, { ...message, to: '+251911000003' });
      const provoked = await send('POST', messages, { ...message, to: '+251911000003' });
      await administrator.call('PUT', controls, { json: { held: false } });
      return provoked;
    },
    webhook_url_not_allowed: () =>
      send('POST', messages, { ...message, webhook: { url: 'http://10.0.0.1/' } }),
    keyword_reserved: () => send('POST', '/api/v1/inbound/keywords', { keyword: 'STOP', response: 'Bye' }),
    contact_list_empty: async () =>
      send('POST', '/api/v1/bulk-sms', {
        campaignId: await make('/api/v1/campaigns', { name: 'November' }),
        contactListId: await make('/api/v1/contact-lists', { name: 'Customers' }),
        text: 'Selam',
      }),
    unknown_contacts: async () => {
      const listId = await make('/api/v1/contact-lists', { name: 'Suppliers' });
      const members = { organizationId, contactIds: [unknownId] };
      return send('PUT', `/api/v1/contact-lists/${listId}/members`, members);
    },
    rejects_expired: async () => {
      const id = await make('/api/v1/contacts/import', { file: 'phone\nx\n' });
      await db.query(
        `update contact_imports set status = 'completed', completed_at = '2026-01-01T00:00:00Z' where id = ?`,
        [id],
      );
      return send('GET', `/api/v1/contacts/imports/${id}/rejects`);
    },
  };
}

/** How each error of the server is provoked. */
export function provokeServerErrors(world: ErrorWorld): Provocations<typeof serverErrors> {
  const { db, bareApi, key, send, onStop } = world;
  return {
    internal_error: async () => {
      await db.query('alter table templates rename to templates_away');
      const provoked = await send('GET', '/api/v1/templates');
      await db.query('alter table templates_away rename to templates');
      return provoked;
    },
    unavailable: async () => {
      const proxy = await startTcpProxy(db.url);
      const database = await openDatabase({ url: proxy.url, poolSize: 2 });
      const cutApi = await startTestApi({ database });
      await proxy.cut();
      onStop(async () => {
        await cutApi.stop();
        await database.close();
        await proxy.stop();
      });
      return sendTo(cutApi, 'POST', messages, { key, json: message });
    },
    provider_unavailable: () =>
      sendTo(bareApi, 'POST', '/api/auth/sign-in/social', { json: { provider: 'oidc' } }),
    mail_not_configured: () =>
      sendTo(bareApi, 'POST', '/api/auth/request-password-reset', { json: { email: 'abebe@example.com' } }),
  };
}
