import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Schemas } from '../http/contract/contract-types.ts';
import { ofOrganizationId } from '../organizations/organization-scope.ts';

/** The actions that are recorded permanently. Each name consists of the resource and its change. */
export const auditActions = [
  'api_key.created',
  'api_key.updated',
  'api_key.revoked',
  'member.role_changed',
  'member.removed',
  'invitation.created',
  'invitation.accepted',
  'invitation.rejected',
  'invitation.cancelled',
  'user.created',
  'user.impersonated',
  'user.impersonation_ended',
  'user.role_changed',
  'user.banned',
  'user.unbanned',
  'user.two_factor_reset',
  'webhook_delivery.redriven',
  'messages.redriven',
  'webhook_deliveries.redriven',
  'redrive.cancelled',
  'sender_id.approved',
  'sender_id.rejected',
  'sender_id.made_default',
  'contacts.imported',
  'contacts.exported',
  'bulk_messages.exported',
  'messages.exported',
  'inbound_message.redriven',
  'sending_controls.changed',
  'security_code_watch.changed',
  'security_code_alarm.raised',
  'security_code_alarm.released',
  'content_rule.created',
  'content_rule.updated',
  'content_rule.deleted',
  'retention.changed',
  'erasure.requested',
  'person.exported',
] as const satisfies Schemas['AuditAction'][];

export type AuditAction = (typeof auditActions)[number];

/**
 * One event of an organization's audit log. A trigger refuses UPDATE and DELETE. The table has no foreign keys, so that
 * events outlive the resources they describe.
 */
export const AuditEvent = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_events',
  ...ofOrganizationId,
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid().strictNullable(),
    at: p.datetime(3),
    actorKind: p.enum([
      'api_key',
      'user',
      'system',
    ] as const satisfies Schemas['AuditEvent']['actor']['kind'][]),
    actorId: p.string().columnType('text').strictNullable(),
    action: p.enum(auditActions),
    /** The id of the changed resource. */
    subjectId: p.string().columnType('text'),
    /** The change, as names and values that are not secret. */
    details: p.json<Record<string, unknown>>(),
  },
  indexes: [
    { name: 'audit_events_list', properties: ['organizationId', 'id'] },
    { name: 'audit_events_action', properties: ['action', 'id'] },
    { name: 'audit_events_actor', properties: ['actorId', 'id'] },
    {
      // A partial index, because few events have an impersonating administrator.
      name: 'audit_events_impersonator',
      expression: `create index audit_events_impersonator on audit_events ((details ->> 'impersonatedBy'), id) where details ->> 'impersonatedBy' is not null`,
    },
  ],
  triggers: [
    {
      name: 'append_only',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'row',
      body: `raise exception 'the audit log is only ever added to';`,
    },
  ],
});

export type AuditEvent = InferEntity<typeof AuditEvent>;
