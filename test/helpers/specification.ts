import { readFileSync } from 'node:fs';

/** The interface specification in its original form. */
export const specificationFile = 'test/fixtures/sms-messaging-service.md';

/** The rules of the specification for one field. Rules that it does not state are absent. */
export interface FieldRule {
  type: 'string' | 'integer' | 'boolean' | 'object' | 'array';
  required: boolean;
  /** An integer may be sent as a numeric string. */
  takesNumericString?: true;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  enum?: string[];
  const?: string;
  pattern?: string;
  default?: string;
  readOnly?: true;
  nullable?: true;
  items?: FieldRule;
  properties?: Fields;
}

export type Fields = Record<string, FieldRule>;

export interface SpecifiedOperation {
  name: string;
  query: Fields;
  header: Fields;
  body: Fields;
}

/**
 * Sentences of the specification, each with its meaning in the notation of most of its tables: fields separated by
 * commas, each with its rules in parentheses. If a sentence no longer exists, reading fails.
 */
const sentences: [said: string, means: string][] = [
  [
    'webhook (object: url string required 1 to 2048 chars, secret string 16 to 200 chars)',
    'webhook (object: url (string, required, 1 to 2048 chars), secret (string, 16 to 200 chars))',
  ],
  [
    'unit required, one of minute, hour, day, week, month, year; interval required integer 1 to 1000, integer or numeric string',
    'unit (required: minute, hour, day, week, month or year), interval (required, integer or numeric string, 1 to 1000)',
  ],
  [
    'code (object: type numeric or alphanumeric; length integer 4 to 10), ttlSeconds (integer 60 to 1800), maxAttempts (integer 1 to 10)',
    'code (object: type (numeric or alphanumeric), length (integer or numeric string, 4 to 10)), ' +
      'ttlSeconds (integer or numeric string, 60 to 1800), maxAttempts (integer or numeric string, 1 to 10)',
  ],
  [
    'metadata (object), organizationId. Integers may be sent as numeric strings.',
    'metadata (object), organizationId',
  ],
  [
    'campaignId, contactListId, text (all required)',
    'campaignId (required), contactListId (required), text (required)',
  ],
  [
    'organizationId, name (both required), description',
    'organizationId (required), name (required), description',
  ],
  ['(required array of string, max 100000 items)', '(required, array, max 100000 items, each string)'],
  [
    'body: organizationId and phoneNumber required, other contact fields optional',
    'body: organizationId (required), phoneNumber (required), firstName, lastName, email, company, tags, customFields',
  ],
  [
    'same body as create; organizationId and phoneNumber required',
    'body: organizationId (required), phoneNumber (required), firstName, lastName, email, company, tags, customFields',
  ],
  [
    'body: organizationId and name required; description, sender, status optional',
    'body: organizationId (required), name (required), description, sender, status',
  ],
  [
    'same body; organizationId and name required',
    'body: organizationId (required), name (required), description, sender, status',
  ],
  [
    'body: organizationId, name, content required; category, scope optional',
    'body: organizationId (required), name (required), content (required), category, scope',
  ],
  [
    'same body; the same three fields required',
    'body: organizationId (required), name (required), content (required), category, scope',
  ],
  [
    'body: value, useCase, sampleMessage required; website, organizationId optional',
    'body: value (required), useCase (required), sampleMessage (required), website, organizationId',
  ],
  [
    'resubmits a rejected sender ID; same body',
    'body: value (required), useCase (required), sampleMessage (required), website, organizationId',
  ],
  [
    'body: keyword and response required; matchType, sender, enabled, organizationId optional',
    'body: keyword (required), response (required), matchType, sender, enabled, organizationId',
  ],
  [
    'body: all keyword-rule fields optional (keyword max 100, response max 1600)',
    'body: keyword, response, matchType, sender, enabled, organizationId',
  ],
  [
    'body as the API key create input in section 2',
    'body: organizationId (required), name (required), environment (required), permissions (required), metadata, expiresAt',
  ],
  [
    'body: organizationId (required); name, permissions, metadata optional with the same bounds; expiresAt date-time or null',
    'body: organizationId (required), name, permissions, metadata, expiresAt (date-time or null)',
  ],
  ['mobile-originated SMS: token', 'query: token'],
  ['delivery report: messageId', 'query: messageId'],
  [
    'createdAt, sentAt, deliveredAt, failedAt (date-time or null each)',
    'createdAt (date-time or null), sentAt (date-time or null), deliveredAt (date-time or null), failedAt (date-time or null)',
  ],
];

/** The shape of section 2 that the bodies at a path have. The tables of section 4 only name its fields. */
const shapesAt: [path: string, shape: string][] = [
  ['/api/v1/api-keys/', 'API key'],
  ['/api/v1/contact-lists/', 'Phonebook'],
  ['/api/v1/contacts/', 'Contact'],
  ['/api/v1/campaigns/', 'Campaign'],
  ['/api/v1/templates/', 'Template'],
  ['/api/v1/sender-ids', 'Sender ID request'],
  ['/api/v1/inbound/keywords', 'Inbound keyword rule'],
  ['/api/v1/bulk-sms/', 'Bulk SMS submission'],
];

/** The specification in a form that tests can compare with openapi.yaml. */
export interface Specification {
  permissions: string[];
  /** The records of section 2, which responses and webhooks contain. */
  records: Record<string, Fields>;
  operations: SpecifiedOperation[];
  /** Section 8. */
  limits: { subject: string; limit: string }[];
  events: string[];
  version: string;
}

/** @throws Error if a known sentence no longer exists */
export function readSpecification(): Specification {
  let text = readFileSync(specificationFile, 'utf8');
  for (const [said, means] of sentences) {
    if (!text.includes(said)) throw new Error(`The specification no longer contains: ${said}`);
    text = text.replace(said, means);
  }
  const permissions = /^Permission values \(28\): (.*)\.$/m.exec(text)![1]!.split(', ');
  const shapes = readShapes(text, permissions);
  const message = readTable(sectionOf(text, '### Message'));
  // These are only named, because they are fields of the message.
  const snapshot = readList(/^data fields: (.*?)\. data carries/m.exec(text)![1]!);
  return {
    permissions,
    records: {
      Message: message,
      'Webhook envelope': readTable(sectionOf(text, '### Webhook envelope')),
      'Webhook data': Object.fromEntries(
        Object.entries(snapshot).map(([name, rule]) => [
          name,
          { ...rule, ...message[name], ...withoutUnsaid(rule), required: true },
        ]),
      ),
      ...readRecords(sectionOf(text, '### Account and organization records')),
    },
    operations: readOperations(sectionOf(text, '## 4. Endpoints'), shapes),
    limits: dispatchSources(sectionOf(text, '## 8. Limits')).map(([subject = '', limit = '']) => ({
      subject,
      limit,
    })),
    events: [...sectionOf(text, '## 6. Events').matchAll(/\bmessage\.\w+/g)].map(([event]) => event),
    version: /interface description version is ([\d.]+)\.$/m.exec(text)![1]!,
  };
}

/** The text below a heading, up to the next heading of its level. */
function sectionOf(text: string, heading: string): string {
  const level = /^#+/.exec(heading)![0];
  const [, rest = ''] = text.split(`\n${heading}`);
  return rest.split(new RegExp(`\\n#{2,${level.length}} `))[0]!;
}

function dispatchSources(section: string): string[][] {
  return section
    .split('\n')
    .filter((line) => line.startsWith('| ') && !/^\| (Field|Method|Subject|Entity) \|/.test(line))
    .map((line) => line.slice(2, -2).split(' | '));
}

/** Reads a table of Field, Type and Notes. All fields are always present. */
function readTable(section: string): Fields {
  return Object.fromEntries(
    dispatchSources(section).map(([name = '', type = '']) => [name, { ...readRule(type), required: true }]),
  );
}

function readShapes(text: string, permissions: string[]): Record<string, Fields> {
  const shapes: Record<string, Fields> = {};
  const section = sectionOf(text, '### Input shapes of other resources');
  const lists = /^(?!Permission values|Message schedule)([A-Z][\w ]+?)(?: \([^)]*\))?: (.*)\.$/gm;
  for (const [, name = '', list = ''] of section.matchAll(lists)) {
    if (!list.endsWith('not shown')) shapes[name] = readList(list);
  }
  shapes['API key'] = Object.fromEntries(
    dispatchSources(section).map(([name = '', type = '', rule = '']) => [name, readRule(`${type}, ${rule}`)]),
  );
  shapes['API key'].permissions!.items = { type: 'string', required: false, enum: permissions };
  return shapes;
}

/** Reads paragraphs such as `User: id (string, read-only), … Required: id, …` or `…; all required.` */
function readRecords(section: string): Record<string, Fields> {
  return Object.fromEntries(
    [...section.matchAll(/^(\w+): (.*?)(?:\. Required: (.*)|; all required)\.$/gm)].map(
      ([, name = '', list = '', required]) => [name, readRecord(list, required?.split(', '))],
    ),
  );
}

/** @param required the fields that are always present. Default: all */
function readRecord(list: string, required?: string[]): Fields {
  const fields = readList(list, true);
  for (const [name, rule] of Object.entries(fields)) rule.required = required?.includes(name) ?? true;
  return fields;
}

function readOperations(section: string, shapes: Record<string, Fields>): SpecifiedOperation[] {
  return dispatchSources(section).map(([method = '', path = '', request = '']) => {
    const [, shape = ''] = shapesAt.find(([prefix]) => path.startsWith(prefix)) ?? [];
    const operation: SpecifiedOperation = { name: `${method} ${path}`, query: {}, header: {}, body: {} };
    for (const segment of splitList(request, '; ')) {
      const [, place, list = ''] = /(?:^|, )(query|body): (.*)$/.exec(segment) ?? [];
      if (place === 'query' || place === 'body') operation[place] = readList(list);
      const [, header] = /^optional header ([\w-]+)$/.exec(segment) ?? [];
      if (header !== undefined) operation.header[header] = { type: 'string', required: false };
    }
    for (const [name, rule] of Object.entries(operation.body)) {
      const { required } = rule;
      operation.body[name] = { ...rule, ...shapes[shape]?.[name], ...withoutUnsaid(rule), required };
    }
    return operation;
  });
}

/** A field without a type is a string, unless its shape defines another type. */
function withoutUnsaid(rule: FieldRule): Partial<FieldRule> {
  const { type, ...said } = rule;
  return type === 'string' ? said : rule;
}

/**
 * Reads `name (rules), name, name (rules)`.
 *
 * @param typesReachBack whether a type also applies to the preceding names without rules, as in a plural
 */
function readList(list: string, typesReachBack = false): Fields {
  const fields: Fields = {};
  let unsaid: string[] = [];
  for (const item of splitList(list, ', ')) {
    const [, name = '', rules] = /^([\w-]+)(?: \((.*)\))?$/.exec(item) ?? [];
    if (name === '') throw new Error(`Cannot read a field of the specification: ${item}`);
    fields[name] = readRule(rules ?? '');
    if (rules === undefined) {
      unsaid.push(name);
      continue;
    }
    const { type, format, nullable } = fields[name];
    if (typesReachBack || rules === 'strings')
      for (const earlier of unsaid)
        fields[earlier] = { type, required: false, ...(format && { format }), ...(nullable && { nullable }) };
    unsaid = [];
  }
  return fields;
}

/** Splits at the separators outside parentheses. */
function splitList(list: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let index = 0; index < list.length; index += 1) {
    if (list[index] === '(') depth += 1;
    if (list[index] === ')') depth -= 1;
    if (depth > 0 || !list.startsWith(separator, index)) continue;
    parts.push(list.slice(begin, index));
    begin = index + separator.length;
  }
  return [...parts, list.slice(begin)];
}

/** Reads the rules of one field, for example `string, required, 8 to 16 chars`. */
function readRule(words: string): FieldRule {
  const [, head = words, inner] = /^([\w, ]*\bobject\b(?:, optional)?): (.*)$/.exec(words) ?? [];
  const [own = '', each] = head.split(', each ');
  const isArray = /\barray\b/.test(own);
  const isInteger = /\binteger\b/.test(own);
  const rule: FieldRule = { type: 'string', required: /\brequired\b/.test(own) };
  if (isArray) rule.type = 'array';
  else if (isInteger) rule.type = 'integer';
  else if (/\bboolean\b/.test(own)) rule.type = 'boolean';
  else if (/\bobject\b/.test(own)) rule.type = 'object';
  if (/numeric string/.test(own)) rule.takesNumericString = true;
  if (/\bdate-time\b/.test(own)) rule.format = 'date-time';
  else if (/\bdate\b/.test(own)) rule.format = 'date';
  else if (/\bbinary\b/.test(own)) rule.format = 'binary';
  else if (/\bUUID\b/.test(own)) rule.format = 'uuid';
  if (/\bor null\b/.test(own)) rule.nullable = true;
  if (/\bread-only\b/.test(own)) rule.readOnly = true;
  if (/\bsix digits\b/.test(own)) rule.pattern = '^[0-9]{6}$';
  const [, preset] = /\bdefault (\w+)/.exec(own) ?? [];
  if (preset !== undefined) rule.default = preset;
  const [, constant] = /\bconstant (\w+)/.exec(own) ?? [];
  if (constant !== undefined) rule.const = constant;
  const [, least, most] = /\b(?:(\d+) to|max) (\d+)\b/.exec(own) ?? [];
  const [from, to] = isArray
    ? (['minItems', 'maxItems'] as const)
    : isInteger
      ? (['minimum', 'maximum'] as const)
      : (['minLength', 'maxLength'] as const);
  if (least !== undefined) rule[from] = Number(least);
  if (most !== undefined) rule[to] = Number(most);
  const choice = own.replace(/^(?:(?:string|required|optional)(?:, |: |$))*/, '');
  if (/^(?:\w+, )*\w+ or \w+$/.test(choice) && !/\b(?:null|numeric string)\b/.test(choice))
    rule.enum = choice.split(/, | or /);
  if (each !== undefined) rule.items = readRule(each);
  if (inner !== undefined) rule.properties = readList(inner);
  return rule;
}
