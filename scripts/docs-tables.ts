/** The tables of the guide that repeat facts of the contract and of the code. `npm run generate` writes them. */
import { variables } from '../src/config.ts';
import { bundleContract } from '../src/http/contract/bundle-contract.ts';
import { loadContract } from '../src/http/contract/contract.ts';
import { messageErrors } from '../src/messages/message-status.ts';

interface Schema {
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
}

/** The fields that people ask about: their name in the table, and their place in the schemas of the contract. */
const limitedFields: [meaning: string, schema: string, field: string][] = [
  ['`to` of a message', 'MessageInput', 'to'],
  ['`text` of a message', 'MessageInput', 'text'],
  ['`from` of a message', 'MessageInput', 'from'],
  ['`webhook.url`', 'WebhookInput', 'url'],
  ['`webhook.secret`', 'WebhookInput', 'secret'],
  ['security code: `code.length`', 'SecurityCodeInput', 'code.length'],
  ['security code: `ttlSeconds`', 'SecurityCodeInput', 'ttlSeconds'],
  ['security code: `maxAttempts`', 'SecurityCodeInput', 'maxAttempts'],
  ['security code: `template`', 'SecurityCodeInput', 'template'],
  ['`text` of a bulk batch', 'BulkSmsInput', 'text'],
  ['`contactIds` of a phonebook', 'PhonebookMembersInput', 'contactIds'],
  ['`tags` of a contact', 'ContactInput', 'tags'],
  ['`response` of a keyword rule', 'InboundKeywordInput', 'response'],
  ['`name` of an API key', 'ApiKeyInput', 'name'],
];

/** The variables that set a rate for callers. */
const rates = [
  ...(['RATE_LIMIT_PER_MINUTE', 'ORGANIZATION_RATE_LIMIT_PER_MINUTE', 'AUTH_RATE_LIMIT_PER_MINUTE'] as const),
  ...(['ACCOUNT_RATE_LIMIT_PER_MINUTE', 'BULK_RATE_PER_SECOND', 'SENDER_RATE_PER_SECOND'] as const),
];

/** The limits of fields, as the contract has them. */
export function limitsTable(): string[] {
  const { schemas } = (bundleContract() as unknown as { components: { schemas: Record<string, Schema> } })
    .components;
  const rows = limitedFields.map(([meaning, name, field]) => {
    const schema = field
      .split('.')
      .reduce<Schema | undefined>((at, property) => at?.properties?.[property], schemas[name]);
    if (schema === undefined) throw new Error(`The contract has no ${name}.${field}.`);
    return `| ${meaning} | ${limitOf(schema)} |`;
  });
  return ['| field | limit |', '|---|---|', ...rows];
}

function limitOf({ minLength, maxLength, minimum, maximum, minItems, maxItems, items }: Schema): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${amount(maximum)}`;
  if (maxLength !== undefined) return `${minLength ?? 0} to ${amount(maxLength)} characters`;
  if (maxItems === undefined) throw new Error('The contract has no limit.');
  const each =
    items?.maxLength === undefined ? '' : `, each of at most ${amount(items.maxLength)} characters`;
  return `${minItems ?? 0} to ${amount(maxItems)}${each}`;
}

/** The default rates, with what they count. */
export function ratesTable(): string[] {
  const rows = rates.map((name) => {
    const schema = variables.shape[name];
    return `| ${amount(schema.parse(undefined))} | ${schema.description} | \`${name}\` |`;
  });
  return ['| default | what it counts | variable |', '|---|---|---|', ...rows];
}

/** Each permission of a key, and what it allows. */
export function permissionsTable(): string[] {
  const { operations } = loadContract();
  const permissions = new Map<string, string[]>();
  for (const { permission, method, path } of operations) {
    if (!/^[\w-]+:(?!member|manage)/.test(permission)) continue;
    permissions.set(permission, [
      ...(permissions.get(permission) ?? []),
      `\`${method.toUpperCase()} ${path}\``,
    ]);
  }
  const rows = [...permissions].map(([permission, paths]) => `| \`${permission}\` | ${paths.join('<br>')} |`);
  return ['| permission | allows |', '|---|---|', ...rows];
}

/** Each `errorCode` of a message, with its meaning. */
export function messageErrorsTable(): string[] {
  const rows = Object.entries(messageErrors).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  return ['| `errorCode` | meaning |', '|---|---|', ...rows];
}

function amount(value: number): string {
  return value.toLocaleString('en');
}
