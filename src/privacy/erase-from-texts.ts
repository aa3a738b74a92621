import { sql, type RawBuilder } from 'kysely';
import { environments } from '../principal.ts';
import type { Person } from './person.ts';
import { fieldsWithout, has, run, scan, without, type Step } from './scan-rows.ts';

/** The columns of texts that people of the organization write, and that may name somebody. */
const texts = {
  templates: ['content'],
  campaigns: ['name', 'description'],
  phonebooks: ['name', 'description'],
  inbound_keywords: ['response'],
  bulk_batches: ['text'],
  sender_ids: ['use_case', 'sample_message', 'website', 'review_reason'],
  api_keys: ['name'],
};

/**
 * Texts of which an organization has one of a kind. Two that differ in the spelling of the number would be equal
 * without it, so they get the end of their ids.
 */
const uniqueTexts: Partial<Record<keyof typeof texts, string[]>> = {
  templates: ['name'],
  inbound_keywords: ['keyword', 'folded_keyword'],
};

const uniqueWithout = (column: string, person: Person): RawBuilder<unknown> => sql`
  case when ${has(column, person)} then ${without(column, person)} || ' ' || right(id::text, 12)
    else ${sql.ref(column)} end`;

/** The part of an index that a scan follows; one for each environment where the index begins with it. */
const within: Partial<Record<keyof typeof texts, RawBuilder<unknown>[]>> = {
  bulk_batches: environments.map((environment) => sql`environment = ${environment}`),
};

/**
 * The number in what could send it again or show it: a template, the text of a batch that waits, the reply to a
 * keyword. The values of senders stay: they are numbers of the organization, and messages are sent from them.
 */
export const eraseFromTexts: Step[] = (Object.keys(texts) as (keyof typeof texts)[]).flatMap((table) =>
  (within[table] ?? [sql`true`]).map((part) =>
    scan(table, part, async (db, person, ids) => {
      const unique = uniqueTexts[table] ?? [];
      const changes = [
        ...texts[table].map((column) => sql`${sql.ref(column)} = ${without(column, person)}`),
        ...unique.map((column) => sql`${sql.ref(column)} = ${uniqueWithout(column, person)}`),
        ...(table === 'api_keys' ? [sql`metadata = ${metadataWithout(person)}`] : []),
      ];
      const conditions = [
        ...[...texts[table], ...unique].map((column) => has(column, person)),
        ...(table === 'api_keys' ? [has('metadata', person)] : []),
      ];
      const statement = sql`
        update ${sql.table(table)} set ${sql.join(changes)}
        where id = any(${ids}::uuid[]) and (${sql.join(conditions, sql` or `)})`;
      return { [table]: await run(db, statement) };
    }),
  ),
);

/** The metadata of a key may be null. */
const metadataWithout = (person: Person): RawBuilder<unknown> =>
  sql`case when metadata is not null then ${fieldsWithout('metadata', person)} end`;
