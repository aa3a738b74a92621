import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { loadContract } from '../../src/http/contract/contract.ts';
import { formats } from '../../src/http/contract/formats.ts';

type Node = Record<string, unknown>;

/** An example of the contract, where it stands, and the schema that it is an example of. */
interface Example {
  at: string;
  schema: object;
  value: unknown;
}

const { document } = loadContract();

/** Finds the examples of bodies and parameters, which stand next to `schema`, and those within schemas. */
function findExamples(node: unknown, at = ''): Example[] {
  if (typeof node !== 'object' || node === null) return [];
  const { example, examples, schema, ...rest } = node as Node;
  const described = schema ?? node;
  const own: Example[] = [
    ...(example === undefined ? [] : [{ at, schema: described, value: example }]),
    ...Object.entries((examples ?? {}) as Node).map(([name, value]) => ({
      at: `${at}/${name}`,
      schema: described,
      // In a schema `examples` is a list of values, elsewhere a map of objects with a value.
      value: Array.isArray(examples) ? value : (value as { value: unknown }).value,
    })),
  ];
  const inner = Object.entries({ ...rest, schema })
    .filter(([name]) => !['default', 'enum', 'const'].includes(name))
    .flatMap(([name, child]) =>
      // The names in `properties` are not keywords: a field may be called `example`.
      name === 'properties'
        ? Object.entries(child as Node).flatMap(([field, inside]) => findExamples(inside, `${at}/${field}`))
        : findExamples(child, `${at}/${name}`),
    );
  return [...own, ...inner];
}

const validator = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, logger: false });
addFormats.default(validator);
for (const [name, isValid] of Object.entries(formats)) validator.addFormat(name, isValid);

/** What is wrong with a value. References of the schema lead into the contract. */
function errorsOf(schema: object, value: unknown): string[] {
  const validate = validator.compile({ ...schema, components: document.components });
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

const examples = findExamples(document);

test('the contract has examples', () => {
  expect(examples.length).toBeGreaterThan(70);
});

test.each(examples.map((example) => [example.at, example] as const))(
  'the example is valid: %s',
  (_at, { schema, value }) => {
    expect(errorsOf(schema, value)).toEqual([]);
  },
);

test('an example without a required field would be found', () => {
  expect(errorsOf({ $ref: '#/components/schemas/Redrive' }, { id: 1 })).toEqual(
    expect.arrayContaining([` must have required property 'failure'`, '/id must be string']),
  );
});
