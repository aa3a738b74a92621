import {
  printComment,
  printMembers,
  printType,
  type Schema,
  type TypeStyle,
} from '../../scripts/schema-types.ts';

const style: TypeStyle = { reference: (name) => name, file: 'Upload', hasComments: true };

test.each<[schema: Schema, type: string]>([
  [{ $ref: '#/components/schemas/Message' }, 'Message'],
  [{ type: 'integer' }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ type: ['string', 'null'], enum: ['a', null] }, '"a" | null'],
  [{ const: 'a' }, '"a"'],
  [{ type: 'string', format: 'binary' }, 'Upload'],
  [{ type: 'array', items: { type: 'string' } }, '(string)[]'],
  [{ oneOf: [{ type: 'string' }, { type: 'null' }] }, '(string) | (null)'],
  [{ allOf: [{ $ref: '#/A' }, { $ref: '#/B' }] }, '(A) & (B)'],
  [{ type: 'object', additionalProperties: true }, 'Record<string, unknown>'],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, 'Record<string, number>'],
])('the type of %j is %s', (schema, type) => {
  expect(printType(style, schema)).toBe(type);
});

test('a schema without a type is refused, because `unknown` would check nothing', () => {
  expect(() => printType(style, {})).toThrow('has no type');
});

test('a member has its description, says if it is deprecated, and is optional unless it is required', () => {
  const members: [string, Schema][] = [
    ['a', { type: 'string', description: 'The first.' }],
    ['b', { type: 'string', deprecated: true }],
  ];
  expect(printMembers(style, members, ['a'])).toBe(
    '{\n/** The first. */\n"a": string;\n/** @deprecated */\n"b"?: string;\n}',
  );
});

test('a description cannot end the comment that it is in', () => {
  expect(printComment('a */ b\n\nc')).toBe('/**\n * a *\\/ b\n *\n * c\n */\n');
});
