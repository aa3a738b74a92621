import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import type { Schemas } from '../http/contract/contract-types.ts';
import { ofOrganization } from '../organizations/organization-scope.ts';
import { Organization } from '../organizations/organization.entity.ts';
import { suppressionSources } from './suppression.entity.ts';

/**
 * A change of whether a number may receive messages. Events are only added. They have a keyed hash of the number and
 * not the number, so an erasure leaves them as they are.
 */
export const ConsentEvent = defineEntity({
  name: 'ConsentEvent',
  tableName: 'consent_events',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    numberHash: p.blob(),
    at: p.datetime(3),
    kind: p.enum(['opted_out', 'opted_in'] as const satisfies Schemas['ConsentEvent']['kind'][]),
    source: p.enum(suppressionSources),
    inboundMessageId: p.uuid().strictNullable(),
    actorKind: p.enum(['api_key', 'user'] as const).strictNullable(),
    actorId: p.string().columnType('text').strictNullable(),
  },
  indexes: [{ name: 'consent_events_of_number', properties: ['organization', 'numberHash', 'id'] }],
});

export type ConsentEvent = InferEntity<typeof ConsentEvent>;
