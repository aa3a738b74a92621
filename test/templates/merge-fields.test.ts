import * as fc from 'fast-check';
import {
  listMergeFields,
  parseMergeFields,
  renderMergeFields,
  type MergeValues,
} from '../../src/templates/merge-fields.ts';

const abebe: MergeValues = {
  firstName: 'Abebe',
  lastName: ' ',
  company: null,
  customFields: { points: 12, isGold: false, 'Loyalty tier': 'ወርቅ', empty: '', list: ['x'], toString: 'own' },
};

describe('a text is filled in', () => {
  test.each<[string, string]>([
    ['Hello', 'Hello'],
    ['', ''],
    ['Hello {{firstName}}!', 'Hello Abebe!'],
    ['{{firstName}}{{firstName}}', 'AbebeAbebe'],
    ['Hello {{ firstName }}!', 'Hello Abebe!'],
    ['Hello {{firstName|there}}!', 'Hello Abebe!'],
    ['Hello {{lastName|there}}!', 'Hello there!'],
    ['Hello {{company | dear customer }}!', 'Hello dear customer!'],
    ['Hello {{company}}!', 'Hello !'],
    ['Hello {{company|}}!', 'Hello !'],
    ['{{company|a|b}}', 'a|b'],
    ['{{customFields.points}} points', '12 points'],
    ['{{customFields.isGold}}', 'false'],
    ['{{customFields.Loyalty tier}}', 'ወርቅ'],
    ['{{customFields.empty|none}}', 'none'],
    ['{{customFields.list|none}}', 'none'],
    ['{{customFields.constructor|none}}', 'none'],
    ['{{customFields.toString}}', 'own'],
    ['{{customFields.no such field|none}}', 'none'],
    ['{{firstName|two\nlines}}', 'Abebe'],
    ['one { brace } and {single}', 'one { brace } and {single}'],
  ])('%j becomes %j', (text, rendered) => {
    const parsed = parseMergeFields(text);
    expect(parsed.problems).toEqual([]);
    expect(renderMergeFields(parsed, abebe)).toBe(rendered);
  });

  test('a contact without any fields gets the defaults', () => {
    const parsed = parseMergeFields('{{firstName|you}}, {{customFields.x|y}}');
    expect(renderMergeFields(parsed, {})).toBe('you, y');
    expect(renderMergeFields(parsed, { customFields: null })).toBe('you, y');
  });

  test('what a contact is called is never read as a field', () => {
    const parsed = parseMergeFields('Hello {{firstName}} {{lastName}}');
    const values = { firstName: '{{lastName}}', lastName: '$& {{firstName}}' };
    expect(renderMergeFields(parsed, values)).toBe('Hello {{lastName}} $& {{firstName}}');
  });

  test('a code is filled in where it is a field', () => {
    const parsed = parseMergeFields('Your code is {{code}}', { allowsCode: true });
    expect(renderMergeFields(parsed, { code: '123456' })).toBe('Your code is 123456');
  });
});

test.each([
  ['{{', 2400, 20],
  ['{{}}', 20, 20],
  ['😀{{x}}', 21, 20],
])('of a text that is %s %i times, the first %i problems are told', (part, times, told) => {
  const { problems, problemCount } = parseMergeFields(part.repeat(times));
  expect({ problemCount, told: problems.length }).toEqual({ problemCount: times, told });
  const length = Array.from(part).length;
  const first = Array.from(part).findIndex((character) => /[{}]/.test(character));
  expect(problems.map(({ position }) => position)).toEqual(
    Array.from({ length: told }, (_none, index) => index * length + first),
  );
});

describe('a problem says which field and where', () => {
  // prettier-ignore
  test.each<[string, { code: string; position: number }[]]>([
    ['Hello {{fristName}}', [{ code: 'unknown_merge_field', position: 6 }]],
    ['😀 {{FirstName}}', [{ code: 'unknown_merge_field', position: 2 }]],
    ['{{phoneNumber}} {{x}}', [{ code: 'unknown_merge_field', position: 0 }, { code: 'unknown_merge_field', position: 16 }]],
    ['{{customFields}}', [{ code: 'unknown_merge_field', position: 0 }]],
    ['{{customFields.}}', [{ code: 'unknown_merge_field', position: 0 }]],
    ['{{customFields.a{b}}', [{ code: 'unknown_merge_field', position: 0 }]],
    ['{{{firstName}}}', [{ code: 'unknown_merge_field', position: 0 }]],
    ['{{}}', [{ code: 'malformed_merge_field', position: 0 }]],
    ['{{ | there}}', [{ code: 'malformed_merge_field', position: 0 }]],
    ['Hello {{firstName', [{ code: 'unclosed_merge_field', position: 6 }]],
    ['Hello {{firstName}', [{ code: 'unclosed_merge_field', position: 6 }]],
    ['Hello {{', [{ code: 'unclosed_merge_field', position: 6 }]],
    ['{{firstName {{lastName}}', [{ code: 'unclosed_merge_field', position: 0 }]],
    ['{{firstName|{{lastName}}}}', [{ code: 'unclosed_merge_field', position: 0 }]],
    ['{"a":{"b":1}} }}', []],
    ['{{code}}', [{ code: 'unknown_merge_field', position: 0 }]],
  ])('%j', (text, problems) => {
    expect(parseMergeFields(text).problems).toMatchObject(problems);
    expect(parseMergeFields(text).problems).toHaveLength(problems.length);
  });

  test('its message names the field, its place and the fields there are', () => {
    expect(parseMergeFields('Hello {{fristName}}').problems[0]!.message).toBe(
      'has an unknown merge field “fristName”; the known fields are firstName, lastName, company, customFields.x, at character 7',
    );
  });

  // prettier-ignore
  test.each<[string, boolean, string]>([
    ['{{x}}', true, 'has an unknown merge field “x”; the known fields are firstName, lastName, company, customFields.x, code, at character 1'],
    ['{{}}', false, 'has a merge field without a name, at character 1'],
    [' {{firstName', false, 'opens a merge field that is not closed by }}, at character 2'],
    ['{{code|1}}', true, 'has a default for {{code}}, which takes none, at character 1'],
  ])('the message for %j, with codes %p', (text, allowsCode, message) => {
    expect(parseMergeFields(text, { allowsCode }).problems.map((problem) => problem.message)).toEqual([message]);
  });

  test('other fields keep their defaults where a code is a field', () => {
    expect(parseMergeFields('{{firstName|you}}: {{code}}', { allowsCode: true }).problems).toEqual([]);
  });

  test('a code can have no default', () => {
    expect(parseMergeFields('{{code|1234}}', { allowsCode: true }).problems).toMatchObject([
      { code: 'malformed_merge_field', position: 0 },
    ]);
  });
});

test.each<[string, unknown[]]>([
  ['', []],
  ['x', ['x']],
  ['{{company}}', [{ name: 'company', default: null }]],
  ['a{{company|}}b', ['a', { name: 'company', default: '' }, 'b']],
  ['{{x}}', ['{{x}}']],
  ['{{company', ['{{company']],
])('%j has no other parts than its texts and fields', (text, parts) => {
  expect(parseMergeFields(text).parts).toEqual(parts);
});

test('each field is listed with each of its defaults once', () => {
  const parsed = parseMergeFields('{{firstName|a}} {{firstName|a}} {{firstName}} {{customFields.x}}');
  expect(listMergeFields(parsed)).toEqual([
    { name: 'firstName', default: 'a' },
    { name: 'firstName', default: null },
    { name: 'customFields.x', default: null },
  ]);
  const others = parseMergeFields('{{company|a}} {{company|b}} {{lastName|}} {{lastName}}');
  expect(listMergeFields(others).map((field) => [field.name, field.default ?? ''])).toEqual([
    ['company', 'a'],
    ['company', 'b'],
    ['lastName', ''],
  ]);
});

describe('for every text', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(fc.constantFrom('{', '{{', '}}', '}', 'firstName', '|', ' ', 'x', '😀', 'code'))
      .map((parts) => parts.join('')),
  );

  test('without braces it stays as it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        fc.pre(!/\{\{|\}\}/.test(text));
        expect(renderMergeFields(parseMergeFields(text), abebe)).toBe(text);
      }),
    );
  });

  test('one without problems has no field left in its text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = parseMergeFields(text);
        fc.pre(parsed.problems.length === 0);
        expect(parsed.parts.filter((part) => typeof part === 'string').join('\0')).not.toMatch(/\{\{/);
      }),
      { numRuns: 2000 },
    );
  });

  test('every problem stands where its braces are', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const { position } of parseMergeFields(text).problems) {
          const found = Array.from(text)
            .slice(position, position + 2)
            .join('');
          expect(found).toBe('{{');
        }
      }),
      { numRuns: 2000 },
    );
  });
});

test('the longest text of opening braces is read in a moment', () => {
  const startedAt = performance.now();
  for (const text of ['{{'.repeat(2400), '{{a'.repeat(1600), `{{${'a'.repeat(4790)}`]) {
    expect(parseMergeFields(text).problems.length).toBeGreaterThan(0);
  }
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
