import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Schemas } from '../../http/contract/contract-types.ts';
import { User } from '../user.entity.ts';

/** What happened to an account. */
export const securityEventKinds = [
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'password_changed',
  'password_reset',
  'two_factor_enabled',
  'two_factor_disabled',
  'two_factor_reset',
  'recovery_codes_renewed',
  'passkey_added',
  'passkey_removed',
] as const satisfies Schemas['SecurityEventKind'][];

export type SecurityEventKind = (typeof securityEventKinds)[number];

/** With what somebody signed in or proved who they are; of a refused sign-in, what was wrong. */
export const signInMethods = [
  'password',
  'second_factor',
  'recovery_code',
  'passkey',
  'provider',
] as const satisfies Schemas['SignInMethod'][];

export type SignInMethod = (typeof signInMethods)[number];

/**
 * What happened to the account of one person: docs/decisions/security-events.md. It has no organization, and it is
 * removed after a year, because addresses are personal data.
 */
export const SecurityEvent = defineEntity({
  name: 'SecurityEvent',
  tableName: 'security_events',
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(User).deleteRule('cascade'),
    at: p.datetime(3),
    kind: p.enum(securityEventKinds),
    method: p.enum(signInMethods).strictNullable(),
    ipAddress: p.string().columnType('text').strictNullable(),
    userAgent: p.string().columnType('text').strictNullable(),
    /** The administrator who did it to the user. No foreign key, so that the trace outlives the administrator. */
    administratorId: p.uuid().strictNullable(),
    expiresAt: p.datetime(3),
  },
  indexes: [
    { name: 'security_events_list', properties: ['user', 'id'] },
    { name: 'security_events_limit', properties: ['user', 'kind', 'at'] },
    { name: 'security_events_expires_at_idx', properties: ['expiresAt'] },
  ],
});

export type SecurityEvent = InferEntity<typeof SecurityEvent>;
