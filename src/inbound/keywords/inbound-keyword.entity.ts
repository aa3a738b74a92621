import { defineEntity, p, type InferEntity } from '@mikro-orm/core';
import { ofOrganization } from '../../organizations/organization-scope.ts';
import { Organization } from '../../organizations/organization.entity.ts';
import { matchTypes } from './match-keyword.ts';

/** A rule that replies to inbound messages. It applies to every number and short code of its organization. */
export const InboundKeyword = defineEntity({
  name: 'InboundKeyword',
  tableName: 'inbound_keywords',
  ...ofOrganization,
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(Organization).deleteRule('cascade'),
    /** As the caller wrote it. */
    keyword: p.string().columnType('text'),
    /** The form used for comparison: normalize-text.ts. */
    foldedKeyword: p.string().columnType('text'),
    matchType: p.enum(matchTypes),
    response: p.string().columnType('text'),
    /** An approved sender, or the sender of test keys. Null replies from the recipient number of the message. */
    sender: p.string().columnType('text').strictNullable(),
    enabled: p.boolean(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
  uniques: [
    { name: 'inbound_keywords_rule_unique', properties: ['organization', 'matchType', 'foldedKeyword'] },
  ],
  indexes: [{ name: 'inbound_keywords_list', properties: ['organization', 'id'] }],
});

export type InboundKeyword = InferEntity<typeof InboundKeyword>;
