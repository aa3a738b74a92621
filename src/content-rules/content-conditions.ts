import { sql, type RawBuilder } from 'kysely';

/**
 * What rules compare texts by: lower-case letters and digits in compatibility form (NFKC), with one space between words
 * and one at each end. Invisible characters, which split a word for programs only, are left out. The collation makes
 * letters of all scripts count as letters, whatever the locale of the database is.
 *
 * @param text SQL of type text
 */
export function wordsOf(text: RawBuilder<unknown>): RawBuilder<string> {
  const visible = sql`translate(normalize(${text}, NFKC), ${invisible}, '')`;
  return sql`(' ' || btrim(regexp_replace(lower(${visible} collate "pg_c_utf8"), '[^[:alnum:]]+', ' ', 'g')) || ' ')`;
}

/** The soft hyphen, and characters without width. */
const invisible = sql.lit('\u00ad\u200b\u200c\u200d\u2060\ufeff');

/** An address with its scheme. What follows `@` is the host, and what precedes it may look like another one. */
const addresses = sql.lit('https?://([^[:space:]/?#\\\\]+)');

/** A name with dots that phones show as a link although it has no scheme, and whether a path follows. */
const names = sql.lit('((?:[[:alnum:]-]+\\.)+[[:alpha:]]{2,})(/?)');

/**
 * The hosts of a text, as rows `host` and `is_link`: false for a name without scheme, path and `www.`, which may as well
 * be two sentences without a space between them.
 */
function hostsOf(text: RawBuilder<unknown>): RawBuilder<unknown> {
  const plain = sql`lower(translate(normalize(${text}, NFKC), ${invisible}, '') collate "pg_c_utf8")`;
  return sql`(
    select rtrim(regexp_replace(regexp_replace(found[1], '^.*@', ''), ':[0-9]*$', ''), '.') as host, true as is_link
    from regexp_matches(${plain}, ${addresses}, 'g') found
    union all
    select found[1], found[2] <> '' or starts_with(found[1], 'www.')
    from regexp_matches(${plain}, ${names}, 'g') found
  )`;
}

/** A host and those above it, as rows: `shop.example.com`, `example.com`, `com`. */
const upwards = sql`(
    select array_to_string(labels[first:], '.') as name
    from (select string_to_array(link.host, '.') as labels) split, generate_subscripts(labels, 1) first
  )`;

/**
 * The subquery for the reason of the rule that refuses a text, for the caller; null if none does. Of several rules, the
 * oldest one is named. Test messages are not refused, because they reach no phone.
 *
 * For statements that check many rows: while there are no rules, the first part is read once for the statement and the
 * rest never.
 *
 * @param message columns of the surrounding statement, written as SQL
 */
export function contentRefusal(message: {
  organizationId: string;
  environment: string;
  text: string;
}): RawBuilder<string | null> {
  const text = sql.raw(message.text);
  // What rules compare is computed once for all rules (offset 0): a hostile text has hundreds of links.
  return sql`(case when (select exists (select from content_rules)) and ${sql.raw(message.environment)} = 'live' then (
    select rule.reason
    from (
      select ${wordsOf(text)} as words, found.*
      from (
        select array_agg(distinct above.name) as hosts, array_agg(distinct link.host) filter (where is_link) as links
        from ${hostsOf(text)} link cross join lateral ${upwards} above
      ) found offset 0
    ) content
    join content_rules rule
      on rule.organization_id = ${sql.raw(message.organizationId)} or rule.organization_id is null
    where case rule.kind
        when 'contains' then exists (
          select from unnest(rule.terms) term where position(term in content.words) > 0
        )
        when 'link_in' then rule.terms && content.hosts
        else exists (
          select from unnest(content.links) link(host) where not rule.terms && array(select name from ${upwards} above)
        )
      end
    order by rule.id limit 1
  ) end)`;
}

/**
 * What a rule stores of its values: the words of phrases, and hosts as they are found in texts.
 *
 * @param values SQL of type text[]
 */
export function termsOf(
  kind: 'contains' | 'link_in' | 'link_not_in',
  values: RawBuilder<unknown>,
): RawBuilder<string[]> {
  const value = sql.ref('value');
  const term = kind === 'contains' ? wordsOf(value) : sql`lower(normalize(value, NFKC) collate "pg_c_utf8")`;
  return sql`array(select ${term} from unnest(${values}) value)`;
}
