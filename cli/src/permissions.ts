import type { Permission } from 'sms-service-client';

/** What keys can be permitted, as the contract lists it. The type check fails when this list lacks one. */
const all: Record<Permission, true> = {
  'messages:send': true,
  'messages:read': true,
  'security-codes:send': true,
  'security-codes:verify': true,
  'schedules:write': true,
  'schedules:read': true,
  'contacts:write': true,
  'contacts:read': true,
  'contacts:verify': true,
  'contacts:import': true,
  'contacts:export': true,
  'phonebooks:write': true,
  'phonebooks:read': true,
  'templates:write': true,
  'templates:read': true,
  'campaigns:write': true,
  'campaigns:read': true,
  'bulk:write': true,
  'bulk:read': true,
  'bulk:export': true,
  'analytics:read': true,
  'analytics:export': true,
  'sender-ids:read': true,
  'sender-ids:write': true,
  'inbound:read': true,
  'inbound:write': true,
  'webhooks:read': true,
  'webhooks:write': true,
};

export const permissions = Object.keys(all) as readonly Permission[];
