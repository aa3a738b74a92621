import { existsSync, readFileSync } from 'node:fs';
import { permissions } from '../../src/auth/permissions.ts';
import { loadContract } from '../../src/http/contract/contract.ts';
import type { JsonSchema } from '../../src/http/contract/json-schema.ts';
import {
  readSpecification,
  specificationFile,
  type FieldRule,
  type Fields,
} from '../helpers/specification.ts';

const specification = readSpecification();
const contract = loadContract();
const document = contract.document as unknown as {
  info: { version: string };
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema> };
  webhooks: { messageStatus: { post: OperationObject } };
};

interface OperationObject {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}
type Schema = JsonSchema & Record<string, unknown>;

/** The rules that a schema can state, by the names that FieldRule has too. */
const ruleNames = [
  ...['format', 'minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minProperties', 'maxProperties', 'enum', 'const', 'pattern', 'default', 'readOnly'],
] as const;

/** A schema with what it refers to, and what it is made of, put together. */
function whole(schema: Schema): Schema {
  const resolved = contract.resolve(schema) as Schema;
  const parts = (resolved['allOf'] ?? []) as Schema[];
  const { allOf: _allOf, ...own } = resolved;
  return Object.assign({}, ...parts.map(whole), own) as Schema;
}

/** The type of a schema's values; null, which is absent, is left out. */
function typeOf(schema: Schema): string {
  return [schema.type ?? []]
    .flat()
    .filter((type) => type !== 'null')
    .join(' or ');
}

/** What a schema says otherwise than the specification does of the same fields, one line a difference. */
function compareFields(where: string, said: Fields, properties: Record<string, Schema>, required: string[]) {
  const missing = Object.keys(said).filter((name) => properties[name] === undefined);
  return [
    ...missing.map((name) => `${where}.${name}: missing`),
    ...Object.entries(properties).flatMap(([name, property]) => {
      const field = said[name];
      const at = `${where}.${name}`;
      if (field === undefined) return [`${at}: a field of ours`];
      const isRequired = required.includes(name);
      return [
        ...(field.required === isRequired ? [] : [`${at}: ${isRequired ? 'required' : 'not required'}`]),
        ...compareField(at, field, whole(property)),
      ];
    }),
  ];
}

function compareField(at: string, said: FieldRule, schema: Schema): string[] {
  const type = said.takesNumericString ? `${said.type} or string` : said.type;
  const differences = typeOf(schema) === type ? [] : [`${at}: ${typeOf(schema)} instead of ${type}`];
  for (const name of ruleNames) {
    const [ours, theirs] = [schema[name], said[name as keyof FieldRule]].map((value) =>
      // null, in the enumeration of a field that may be null, is absent too.
      Array.isArray(value)
        ? value
            .filter((item) => item !== null)
            .map(String)
            .toSorted()
        : value,
    );
    if (JSON.stringify(ours) === JSON.stringify(theirs)) continue;
    const isDefault = name === 'default' && String(ours) === theirs;
    if (!isDefault)
      differences.push(`${at}: ${name} ${JSON.stringify(ours)} instead of ${JSON.stringify(theirs)}`);
  }
  const isNullable = [schema.type].flat().includes('null');
  if (said.nullable && !isNullable) differences.push(`${at}: never null`);
  if (said.items) differences.push(...compareField(`${at}[]`, said.items, whole(schema.items as Schema)));
  else if (schema.items && said.type === 'array')
    differences.push(...compareField(`${at}[]`, { type: 'string', required: false }, whole(schema.items)));
  if (said.properties)
    differences.push(
      ...compareFields(at, said.properties, schema.properties ?? {}, schema['required'] ?? []),
    );
  return differences;
}

/** Where openapi.yaml says otherwise than section 4, or more. */
function compareOperations(): string[] {
  const ours = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
  const said = new Map(specification.operations.map((operation) => [operation.name, operation]));
  return [
    ...[...said.keys()]
      .filter((name) => !ours.some(([own]) => own === name))
      .map((name) => `${name}: missing`),
    ...ours.flatMap(([name, operation]) => {
      const specified = said.get(name);
      if (specified === undefined) return [`${name}: an endpoint of ours`];
      const contents = Object.values(operation.requestBody?.content ?? {});
      const bodies = contents.length > 0 ? contents.map(({ schema }) => whole(schema)) : [{} as Schema];
      return [
        ...(['query', 'header'] as const).flatMap((place) => {
          const parameters = (operation.parameters ?? [])
            .map((parameter) => contract.resolve(parameter as JsonSchema) as unknown as Parameter)
            .filter((parameter) => parameter.in === place);
          const properties = Object.fromEntries(parameters.map(({ name: field, schema }) => [field, schema]));
          const required = parameters
            .filter((parameter) => parameter.required)
            .map((parameter) => parameter.name);
          return compareFields(`${name} ${place}`, specified[place], properties, required);
        }),
        // One line for all encodings, unless they differ.
        ...new Set(
          bodies.flatMap(({ properties = {}, required = [] }) =>
            compareFields(`${name} body`, specified.body, properties as Record<string, Schema>, required),
          ),
        ),
      ];
    }),
  ];
}

function compareRecords(): string[] {
  const envelope = document.components.schemas['WebhookEnvelope'];
  const schemas = {
    ...document.components.schemas,
    'Webhook envelope': envelope,
    'Webhook data': document.components.schemas['MessageSnapshot'],
  } as Record<string, Schema | undefined>;
  return Object.entries(specification.records).flatMap(([name, fields]) => {
    const schema = schemas[name];
    if (schema === undefined) return [`${name}: missing`];
    const { properties = {}, required = [] } = whole(schema);
    return compareFields(name, fields, properties, required);
  });
}

/** Why openapi.yaml says more than the specification, or something else. */
const reasons: [difference: RegExp, because: string][] = [
  [
    /^\w+ \S+\/sending-controls: an endpoint of ours$/,
    'the stop switch and the destinations: docs/decisions/sending-controls.md',
  ],
  [
    /^\w+ \S+\/admin\/security-codes\/\S+: an endpoint of ours$/,
    'codes that nobody verifies: docs/decisions/security-code-watch.md',
  ],
  [
    /^\w+ \S+\/admin\/content-rules\S*: an endpoint of ours$/,
    'rules about texts: docs/decisions/content-rules.md',
  ],
  // What the specification marks "not shown" (contract.md decides it) or leaves to the interface description.
  [/^\w+ \/api\/auth\/.*: an endpoint of ours$/, 'account endpoints are not shown (section 4)'],
  [
    /^POST \/api\/v1\/(messages|bulk-sms)\/estimate: an endpoint of ours$/,
    'what it would cost, before it is sent',
  ],
  [
    /^GET \S+\/messages\/\{messageId\}\/timeline: an endpoint of ours$/,
    'contract 3: the timeline of a message',
  ],
  [
    /^GET \S+\/contacts\/imports\/\S+: an endpoint of ours$/,
    'contract 6: where to look after a large import',
  ],
  [/^PATCH \S+\/(pause|resume|rate): an endpoint of ours$/, 'contract 6: a batch may be paused'],
  [
    /^GET \S+\/bulk-sms\/\{bulkSmsId\}\/events: an endpoint of ours$/,
    'the progress of a batch as it happens',
  ],
  [/^\w+ \/api\/v1\/suppressions\S*: an endpoint of ours$/, 'contract 6: the suppression list of STOP'],
  [
    /^(POST|PATCH) \S+\/api-keys\S* body\.allowedAddresses: a field of ours$/,
    'a key that leaks is of no use elsewhere',
  ],
  [/^GET \/health\/(live|ready): an endpoint of ours$/, 'for supervisors and load balancers'],
  [/^GET \S+\/organizations\/limits: an endpoint of ours$/, 'people see what the operator allows'],
  [/^GET \S+\/bulk-sms\/\{bulkSmsId\}\/failures: an endpoint of ours$/, 'why recipients of a batch got nothing'],
  [/^GET \S+\/webhook-deliveries\/\{deliveryId\}: an endpoint of ours$/, 'what was sent to the receiver, and its answers'],
  [/^GET \/api\/v1\/webhook-deliveries query\.messageId: a field of ours$/, 'a filter'],
  [/^POST \S+\/inbound\/keywords\/test: an endpoint of ours$/, 'people try their rules before phones do'],
  [/^GET \S+\/inbound\/(conversations|messages\/\{messageId\}\/thread): an endpoint of ours$/, 'the inbox by number'],
  [/^GET \S+\/analytics\/security-codes: an endpoint of ours$/, 'how many codes lead to a verification'],
  [/^GET \S+\/admin\/(settings|organizations|messages): an endpoint of ours$/, 'administrators look across organizations'],
  [/^GET \S+\/contacts\/count: an endpoint of ours$/, 'the total, which a list with a cursor does not have'],
  [/^(POST|DELETE) \S+\/contact-lists\/\{listId\}\/members\S*: an endpoint of ours$/, 'two people can change one phonebook'],
  [
    /^\w+ \S+\/privacy\/\S*: an endpoint of ours$/,
    'retention, erasure and export: what operators owe the people whose numbers they store',
  ],
  [/^GET \S+\/security-events: an endpoint of ours$/, 'people see who signs in to their account'],
  [/^GET \S+\/audit-events: an endpoint of ours$/, 'who changed keys, members and roles'],
  [
    /^\w+ \S+\/admin\/(\w+-?\w+\/redrive|redrives\S*): an endpoint of ours$/,
    'redrives by a filter, after an outage',
  ],
  [/^GET \/api\/v1\/admin\/inbound\/messages: an endpoint of ours$/, 'contract 6: unrouted messages'],
  [/ query\.(limit|cursor): a field of ours$/, 'contract 1: lists'],
  [
    / query\.(limit|page|pageSize): (pattern|maxLength|default) /,
    'contract 1: strings of digits, their range and default',
  ],
  [/ query\.environment: a field of ours$/, 'contract 2: a session may filter by environment'],
  [
    /^POST \/api\/v1\/messages body\.environment: a field of ours$/,
    'people try a message before they send it',
  ],
  [/^GET \/api\/v1\/messages query\.(status|to|from|createdFrom|createdBefore): a field of ours$/, 'filters'],
  [/^GET \S+\/contacts\/ query\.tag: a field of ours$/, 'a filter'],
  [/^GET \S+\/notifications\/ query\.unread: a field of ours$/, 'a filter'],
  [/^GET \/api\/v1\/sender-ids query\.status: a field of ours$/, 'a filter'],
  [/^GET \S+\/admin\/webhook-deliveries query\.organizationId: a field of ours$/, 'a filter'],
  [
    /^GET \S+\/notifications\/stream header\.Last-Event-ID: a field of ours$/,
    'contract 8: a stream is resumed',
  ],
  [/ query\.status: enum /, 'allowed values are not shown; contract 3, 6 and 7'],
  [/ header\.Idempotency-Key: (min|max)Length /, 'contract 1: 1 to 255 characters'],
  [/^GET \/api\/v1\/analytics\/\w* query\.(from|to): format "date" /, 'contract 8: dates'],
  [/^GET \/api\/v1\/analytics\/export query\.report: default "messages" /, 'the report when none is named'],
  [
    /^GET \/api\/v1\/analytics\/export query\.sender: (min|max)Length /,
    'section 8: a sender has 1 to 20 characters',
  ],
  [/^POST \S+\/security-codes\/send body\.[\w.]+: default /, 'contract 5: defaults'],
  [
    / body\.(recurrence\.interval|code\.length|ttlSeconds|maxAttempts): (pattern|maxLength) /,
    'the range, of numeric strings',
  ],
  [
    /^(Message|Member|Invitation|User)\.(status|environment|role): enum /,
    'the values are not shown or in other sections',
  ],
  [/^(Message|Webhook data)\.segments: minimum 1 /, 'a message has one segment at least'],
  [
    /^Webhook (data|envelope)\.(status|event): enum /,
    'section 6: the events, and the statuses of contract 3 they tell of',
  ],
  [/^Webhook data\.createdAt: never null$/, 'a message always has the moment of its creation'],
  [
    /^(User|Session|Account|Verification|Organization|Member|Invitation)\.\w+: format "uuid" /,
    'contract 1: ids are UUIDs',
  ],
  [/: minLength 1 instead of undefined$/, 'contract 1: an empty string is an absent one'],
  [
    /^GET \/api\/v1\/gateway\/mo query\.text: (min|max)Length undefined /,
    'docs/decisions/inbound.md: no text from a phone is refused',
  ],
];

/**
 * Rules that the specification does not give and that go, for contract 1 says so ("No rule the specification does not
 * give"). None may be added here; a line that stands for no difference any more is to be removed.
 */
const rulesToGo: RegExp[] = [
  /: pattern "(\\\\S|\^\(\?=|\^\[hH\]|\^\(\?!contact:)/,
  / query\.search: maxLength /,
  / body\.customFields: maxProperties 50 /,
  /\b(organizationId|campaignId|contactListId|contactIds\[\]): maxLength 100 /,
];

describe('openapi.yaml', () => {
  const differences = [...compareRecords(), ...compareOperations()];
  const isExplained = (difference: string) =>
    [...reasons.map(([pattern]) => pattern), ...rulesToGo].some((pattern) => pattern.test(difference));

  test('says what the specification says of records, endpoints and fields, and no more without a reason (else: a row in `reasons`)', () => {
    expect(differences.filter((difference) => !isExplained(difference))).toEqual([]);
  });

  test.each(reasons)('differs as %p says: %s (else: remove its row of `reasons`)', (pattern) => {
    expect(differences.some((difference) => pattern.test(difference))).toBe(true);
  });

  test('has the same fields in every encoding of a body', () => {
    for (const [path, item] of Object.entries(document.paths))
      for (const { requestBody } of Object.values(item)) {
        if (requestBody === undefined) continue;
        const [json, ...others] = [
          ...['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
        ].map((type) => requestBody.content[type]?.schema);
        expect({ path, json }).toEqual({ path, json: expect.objectContaining({ $ref: expect.any(String) }) });
        expect({ path, others }).toEqual({ path, others: [json, json] });
      }
  });

  test('has the 28 permissions, as the code has', () => {
    const said = specification.permissions.toSorted();
    expect(said).toHaveLength(28);
    expect((document.components.schemas['Permission']!['enum'] as string[]).toSorted()).toEqual(said);
    expect([...permissions].toSorted()).toEqual(said);
  });

  test('has the events, the version, and the prefixes of paths', () => {
    const { properties } = whole(document.components.schemas['WebhookEnvelope']!);
    expect((properties!['event'] as Schema)['enum']).toEqual([...new Set(specification.events)]);
    expect(document.info.version).toBe(specification.version);
    for (const path of Object.keys(document.paths))
      expect(path).toMatch(/^\/(health(\/(live|ready))?$|api\/v1\/|api\/auth\/)/);
    for (const { name } of specification.operations) expect(name).toMatch(/^\w+ (\/health$|\/api\/v1\/)/);
    expect(document.paths['/api/auth/sign-in/social']).toHaveProperty('post');
  });

  /** Which fields each line of section 8 is about: an operation, and the way to the field in its body. */
  const limited: Record<string, [operation: string, field: string][]> = {
    'Message text, bulk text, sample message, keyword response, security-code template': [
      ['POST /api/v1/messages', 'text'],
      ['POST /api/v1/messages/schedule', 'text'],
      ['POST /api/v1/bulk-sms/', 'text'],
      ['POST /api/v1/sender-ids', 'sampleMessage'],
      ['POST /api/v1/inbound/keywords', 'response'],
      ['POST /api/v1/security-codes/send', 'template'],
    ],
    'Recipient (to)': [
      ['POST /api/v1/messages', 'to'],
      ['POST /api/v1/messages/schedule', 'to'],
      ['POST /api/v1/security-codes/send', 'to'],
    ],
    'Sender (from)': [
      ['POST /api/v1/messages', 'from'],
      ['POST /api/v1/messages/schedule', 'from'],
      ['POST /api/v1/security-codes/send', 'from'],
    ],
    'Template content': [['POST /api/v1/templates/', 'content']],
    'Webhook URL': [['POST /api/v1/messages', 'webhook.url']],
    'Webhook secret': [['POST /api/v1/messages', 'webhook.secret']],
    'Security code length': [['POST /api/v1/security-codes/send', 'code.length']],
    'Security code ttlSeconds': [['POST /api/v1/security-codes/send', 'ttlSeconds']],
    'Security code maxAttempts': [['POST /api/v1/security-codes/send', 'maxAttempts']],
    'Contact-verification code': [['POST /api/v1/contacts/{contactId}/verification/confirm', 'code']],
    'Phonebook members per replace': [['PUT /api/v1/contact-lists/{listId}/members', 'contactIds']],
    'API key permissions': [['POST /api/v1/api-keys/', 'permissions']],
    'API key name': [['POST /api/v1/api-keys/', 'name']],
    'API key tags': [['POST /api/v1/api-keys/', 'metadata.tags']],
    'Schedule recurrence interval': [['POST /api/v1/messages/schedule', 'recurrence.interval']],
    // Not of a body: the text of the webhook says it.
    'Webhook receiver response time': [],
  };

  test('has every limit of section 8', () => {
    expect(specification.limits.map(({ subject }) => subject)).toEqual(Object.keys(limited));
    for (const { subject, limit } of specification.limits)
      for (const [operation, field] of limited[subject]!)
        expect({ operation, field, limit: limitOf(operation, field) }).toEqual({ operation, field, limit });
    expect(document.webhooks.messageStatus.post).toMatchObject({
      description: expect.stringContaining('within 10 seconds'),
    });
  });

  test.each([
    ['POST /api/v1/messages', '202', 'Message'],
    ['POST /api/v1/bulk-sms/', '202', 'BulkSms'],
    ['POST /api/v1/security-codes/send', '202', 'SecurityCode'],
    ['POST /api/v1/contacts/{contactId}/verification/request', '202', 'ContactVerification'],
    ['POST /api/v1/contacts/import', '200', 'ContactImport'],
    ['POST /api/v1/contacts/import', '202', 'ContactImport'],
  ])('answers %s with %s (%s)', (operation, status, name) => {
    expect(schemaOfAnswer(operation, status)).toEqual({ $ref: `#/components/schemas/${name}` });
  });

  test('answers GET /health with the constant string ok', () => {
    const { properties } = schemaOfAnswer('GET /health', '200');
    expect(properties).toEqual({ status: { type: 'string', const: 'ok' } });
  });
});

function schemaOfAnswer(operation: string, status: string): Schema {
  const [method = '', path = ''] = operation.split(' ');
  return document.paths[path]![method.toLowerCase()]!.responses[status]!.content!['application/json']!.schema;
}

/** A limit of a field in the words of section 8. */
function limitOf(operation: string, field: string): string {
  const [method = '', path = ''] = operation.split(' ');
  const { requestBody } = document.paths[path]![method.toLowerCase()]!;
  const schema = field
    .split('.')
    .reduce(
      (at, name) => whole(at.properties![name] as Schema),
      whole(requestBody!.content['application/json']!.schema),
    );
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, pattern } = schema as Record<
    string,
    number
  >;
  if (String(pattern) === '^[0-9]{6}$') return 'exactly 6 digits';
  if (minimum !== undefined) return `${minimum} to ${maximum}`;
  if (maxLength !== undefined) return `${minLength} to ${maxLength} chars`;
  if (minItems !== undefined) return `${minItems} to ${maxItems} items`;
  if (field === 'contactIds') return `up to ${maxItems} contact ids`;
  const each = whole(schema.items as Schema) as Record<string, unknown>;
  return `up to ${maxItems}, each ${String(each['minLength'])} to ${String(each['maxLength'])} chars`;
}

const handedOver = ['../shared/spec', '../../shared/spec']
  .map((folder) => `${folder}/sms-messaging-service.md`)
  .find(existsSync);
(handedOver === undefined ? describe.skip : describe)('the copy of the specification', () => {
  test('is the specification', () => {
    expect(readFileSync(specificationFile, 'utf8')).toBe(readFileSync(handedOver!, 'utf8'));
  });
});
