/** The part of a schema that decides its type. Lengths, patterns and limits are the validator's. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  deprecated?: boolean;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  pattern?: string;
}

/** How types are written in one file. */
export interface TypeStyle {
  /** The type of a schema with a name. */
  reference: (name: string) => string;
  /** The type of a file in a body. */
  file: string;
  /** Whether members are preceded by their descriptions. */
  hasComments: boolean;
}

/** Prints members, of which those that are not in `required` are optional; without `required`, none is. */
export function printMembers(
  style: TypeStyle,
  members: [name: string, schema: Schema][],
  required?: string[],
): string {
  const lines = members.map(([name, schema]) => {
    const optional = required && !required.includes(name) ? '?' : '';
    const comment = style.hasComments ? printComment(schema.description, schema.deprecated) : '';
    return `${comment}${JSON.stringify(name)}${optional}: ${printType(style, schema)};`;
  });
  return `{\n${lines.join('\n')}\n}`;
}

/** Prints a description as a comment with a line break after it; nothing if there is nothing to say. */
export function printComment(description: string | undefined, isDeprecated = false): string {
  const text = [description?.trim() ?? [], isDeprecated ? '@deprecated' : []].flat().join('\n');
  if (text === '') return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n */\n`;
}

/** Prints the type of a schema. Error: a schema that no rule here knows, because `unknown` would check nothing. */
export function printType(style: TypeStyle, schema: Schema): string {
  const { $ref, type, allOf, anyOf, oneOf } = schema;
  if ($ref !== undefined) return style.reference($ref.split('/').at(-1)!);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (allOf) return allOf.map((part) => `(${printType(style, part)})`).join(' & ');
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return alternatives.map((part) => `(${printType(style, part)})`).join(' | ');
  if (type === undefined) throw new Error(`This schema has no type: ${JSON.stringify(schema)}`);
  return [type]
    .flat()
    .map((name) => printNamedType(style, name, schema))
    .join(' | ');
}

function printNamedType(style: TypeStyle, name: string, schema: Schema): string {
  if (name === 'integer') return 'number';
  if (name === 'array') return `(${printType(style, schema.items!)})[]`;
  if (name === 'string' && schema.format === 'binary') return style.file;
  return name === 'object' ? printObject(style, schema) : name;
}

function printObject(
  style: TypeStyle,
  { properties, required = [], additionalProperties, propertyNames }: Schema,
): string {
  if (properties) return printMembers(style, Object.entries(properties), required);
  const values =
    typeof additionalProperties === 'object' ? printType(style, additionalProperties) : 'unknown';
  return propertyNames
    ? `Partial<Record<${printType(style, propertyNames)}, ${values}>>`
    : `Record<string, ${values}>`;
}
