/**
 * What the three encodings of a body have in common, with bodies and forms that nobody has thought of. The real reader
 * runs behind a server of its own; the API has the tests of single cases (form-names, decode-body, hostile-bodies).
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import * as fc from 'fast-check';
import { ApiError } from '../../src/errors.ts';
import { loadContract } from '../../src/http/contract/contract.ts';
import { decodeBody } from '../../src/http/requests/decode-body.ts';

type Body = Record<string, unknown>;
type Field = [name: string, value: string];

let server: Server;
let port: number;

beforeAll(async () => {
  const contract = loadContract();
  const operation = contract.operations.find(({ operationId }) => operationId === 'createContact')!;
  const app = express();
  app.use((request, _response, next) => {
    request.operation = operation;
    next();
  });
  app.use(decodeBody(contract));
  app.use((request, response) => void response.json(request.body));
  const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
    const isDocumented = error instanceof ApiError;
    response
      .status(isDocumented ? error.status : 500)
      .json({ refused: String(isDocumented ? error.code : error) });
  };
  app.use(answerError);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
}, 60_000);

afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

interface Read {
  status: number;
  body: Body;
}

async function post(type: string, body: string | Buffer): Promise<Read> {
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers: { 'Content-Type': type },
    body: Buffer.from(body),
  });
  return { status: response.status, body: (await response.json()) as Body };
}

const boundary = 'a-boundary-of-a-form';
const multipartType = `multipart/form-data; boundary=${boundary}`;
/** As browsers write names: with line breaks and quotes escaped, and nothing else. */
const escapeName = (name: string): string =>
  name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
const part = ([name, value]: Field, more = ''): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"${more}\r\n\r\n${value}\r\n`;
const multipart = (fields: Field[]): string =>
  `${fields.map((field) => part(field)).join('')}--${boundary}--\r\n`;
const urlencoded = (fields: Field[]): string => new URLSearchParams(fields).toString();
const urlencodedType = 'application/x-www-form-urlencoded';

/** Texts that are stored as they are: without NUL and half characters. A form cannot tell an empty text from none. */
const text = fc
  .oneof(fc.string({ minLength: 1 }), fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }))
  .filter((value) => value.isWellFormed() && !value.includes('\0'));
/**
 * In multipart, `%0A` in a name is a line break, and a header has no other control characters (RFC 9110, 5.5). A name
 * cannot have brackets; one that counts from 0 makes a list.
 */
const name = text.filter(
  (value) => !/[[\]]|\p{Cc}|__proto__|^0$|%(0A|0D|22)|\\/iu.test(value.replace(/[\r\n]/g, '')),
);
const plain = fc.record(
  {
    firstName: text,
    lastName: text,
    email: text,
    company: text,
    tags: fc.array(text, { minLength: 1, maxLength: 5 }),
    customFields: fc.dictionary(name, text, { minKeys: 1, maxKeys: 5, noNullPrototype: true }),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const fieldsOf = (body: Body): Field[] =>
  Object.entries(body).flatMap(([key, value]): Field[] => {
    if (typeof value === 'string') return [[key, value]];
    if (Array.isArray(value)) return value.map((item: string): Field => [`${key}[]`, item]);
    return Object.entries(value as Record<string, string>).map(([inner, of]): Field => [
      `${key}[${inner}]`,
      of,
    ]);
  });
/** A multipart form cannot have its boundary in a value, and its parser reads a name only to 2,000 bytes. */
const hasBoundary = (body: Body): boolean => JSON.stringify(body).includes(boundary);

test('a body of any fields is the same in JSON, urlencoded and multipart', async () => {
  await fc.assert(
    fc.asyncProperty(plain, async (body) => {
      fc.pre(!hasBoundary(body));
      const expected = { status: 200, body };
      expect(await post('application/json', JSON.stringify(body))).toEqual(expected);
      expect(await post(urlencodedType, urlencoded(fieldsOf(body)))).toEqual(expected);
      expect(await post(multipartType, multipart(fieldsOf(body)))).toEqual(expected);
    }),
  );
}, 120_000);

test('any names and values are read alike in both forms, or refused with the same documented error', async () => {
  const anyName = fc.oneof(
    fc.constantFrom(
      'tags',
      'tags[]',
      'tags[0]',
      'customFields',
      'customFields[a]',
      'customFields[a][]',
      'firstName',
    ),
    fc.string({ unit: fc.constantFrom('a', '[', ']', '0', '1', '.', 't'), minLength: 1, maxLength: 12 }),
  );
  const anyValue = fc.oneof(fc.string(), fc.json(), fc.constantFrom('', '[', '{', '[]', '{}', 'null', '[[['));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(anyName, anyValue), { maxLength: 8 }), async (fields) => {
      fc.pre(!hasBoundary({ fields }));
      const [one, other] = await Promise.all([
        post(urlencodedType, urlencoded(fields)),
        post(multipartType, multipart(fields)),
      ]);
      expect([200, 400]).toContain(one.status);
      expect(other).toEqual(one);
    }),
    { numRuns: 150 },
  );
}, 120_000);

test('any bytes are read or refused in each encoding, and no error is undocumented', async () => {
  const pieces = fc.constantFrom(
    ...[
      `--${boundary}`,
      `--${boundary}--`,
      '\r\n',
      '\n',
      '\r',
      '"',
      ';',
      '=',
      '&',
      '%',
      '%ff',
      '[',
      ']',
      '{',
      '}',
      ',',
    ],
    ...[
      'Content-Disposition: form-data; name="tags"',
      'Content-Type: text/plain; charset=x',
      'filename="a"',
      ': ',
    ],
    ...['Content-Transfer-Encoding: base64', '\0', '\ufeff', '"a":', '__proto__'],
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((given) => Buffer.from(given)),
    fc
      .array(fc.oneof(pieces, fc.string({ maxLength: 5 })), { maxLength: 30 })
      .map((all) => Buffer.from(all.join(''))),
  );
  const types = fc.constantFrom('application/json', urlencodedType, multipartType, 'multipart/form-data');
  await fc.assert(
    fc.asyncProperty(types, bytes, async (type, body) => {
      expect([200, 400, 413, 415]).toContain((await post(type, body)).status);
    }),
    { numRuns: 300 },
  );
}, 120_000);

const disposition = 'Content-Disposition: form-data; name="firstName"';
const ok = { firstName: 'Abebe' };
const tricks: [what: string, body: string | Buffer, expected: Body | number][] = [
  ['no end boundary', part(['firstName', 'Abebe']), 400],
  ['an end boundary that is cut', `${part(['firstName', 'Abebe'])}--${boundary}-`, 400],
  ['nothing', '', 400],
  ['only the end boundary', `--${boundary}--\r\n`, {}],
  ['text before the first boundary', `To whom it may concern\r\n${multipart([['firstName', 'Abebe']])}`, ok],
  ['text after the last boundary', `${multipart([['firstName', 'Abebe']])}${part(['lastName', 'x'])}`, ok],
  [
    'the boundary in a line of a value',
    multipart([['firstName', `a --${boundary} b`]]),
    { firstName: `a --${boundary} b` },
  ],
  [
    'a boundary that only begins like it',
    multipart([['firstName', `a\r\n--${boundary.slice(0, -1)}`]]),
    {
      firstName: `a\r\n--${boundary.slice(0, -1)}`,
    },
  ],
  [
    'a name that is repeated',
    multipart([
      ['tags', 'a'],
      ['tags', 'b'],
    ]),
    { tags: ['a', 'b'] },
  ],
  ['a text that is a file', `${part(['firstName', 'Abebe'], '; filename="a.txt"')}--${boundary}--`, ok],
  [
    'a text that is a file without a name',
    `${part(['firstName', 'Abebe'], '; filename=""')}--${boundary}--`,
    ok,
  ],
  [
    'a form within a form',
    multipart([['firstName', `--inner\r\n${disposition}\r\n\r\nx\r\n--inner--`]]),
    {
      firstName: `--inner\r\n${disposition}\r\n\r\nx\r\n--inner--`,
    },
  ],
  [
    'a part with a header of 100 KiB',
    `--${boundary}\r\nX-Long: ${'x'.repeat(100 * 1024)}\r\n${disposition}\r\n\r\nAbebe\r\n--${boundary}--`,
    400,
  ],
  [
    'a part with 10,000 headers',
    `--${boundary}\r\n${'X: y\r\n'.repeat(10_000)}${disposition}\r\n\r\nAbebe\r\n--${boundary}--`,
    400,
  ],
  [
    'a part without a name',
    `--${boundary}\r\nContent-Disposition: form-data\r\n\r\nAbebe\r\n--${boundary}--`,
    400,
  ],
  ['a part without headers', `--${boundary}\r\n\r\nAbebe\r\n--${boundary}--`, 400],
  [
    '100,000 parts',
    multipart(Array.from({ length: 100_000 }, (): Field => ['tags', ''])).slice(0, 1024 * 1024 - 1),
    400,
  ],
  ['lines that end with LF', multipart([['firstName', 'Abebe']]).replaceAll('\r\n', '\n'), 400],
  [
    'bytes that are not UTF-8',
    Buffer.concat([
      Buffer.from(part(['firstName', 'A'])),
      Buffer.from([0xff]),
      Buffer.from(`\r\n--${boundary}--`),
    ]),
    400,
  ],
  ['a value that is not UTF-8', Buffer.from(multipart([['firstName', 'é']]), 'latin1'), 400],
  ['__proto__', multipart([['__proto__', 'x']]), 400],
  ['__proto__ in brackets', multipart([['customFields[__proto__][x]', 'x']]), 400],
  [
    'constructor in brackets',
    multipart([['customFields[constructor][prototype]', 'x']]),
    {
      customFields: { constructor: { prototype: 'x' } },
    },
  ],
];

test.each(tricks)('multipart with %s is read as it is meant, or refused', async (_what, body, expected) => {
  const { status, body: read } = await post(multipartType, body);
  expect(typeof expected === 'number' ? status : { status, body: read }).toEqual(
    typeof expected === 'number' ? expected : { status: 200, body: expected },
  );
  // Nothing of a form reaches the prototype of objects.
  expect(Object.keys(Object.prototype)).toEqual([]);
});

test.each([
  ['no boundary', ''],
  ['an empty one', '; boundary='],
  ['one of 5,000 characters', `; boundary="${'x'.repeat(5000)}"`],
  ['one that is not closed', '; boundary="\\"'],
  ['two', '; boundary=a; boundary=b'],
])('multipart whose Content-Type has %s is refused', async (_what, parameters) => {
  const { status } = await post(`multipart/form-data${parameters}`, multipart([['firstName', 'Abebe']]));
  expect(status).toBe(400);
});

test('a form that arrives in pieces of any size is read like a whole one', async () => {
  const body = { firstName: 'Abebe ከበደ', tags: ['a', 'b'] };
  const bytes = Buffer.from(multipart(fieldsOf(body)));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 40 }),
      async (sizes) => {
        const socket = connect(port, '127.0.0.1').setNoDelay();
        let answer = '';
        socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
        const head = `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${multipartType}\r\nTransfer-Encoding: chunked\r\n\r\n`;
        socket.write(head);
        let at = 0;
        for (let index = 0; at < bytes.length; index += 1) {
          const piece = bytes.subarray(at, at + sizes[index % sizes.length]!);
          at += piece.length;
          await new Promise((resolve) =>
            socket.write(
              Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]),
              resolve,
            ),
          );
        }
        socket.write('0\r\n\r\n');
        await once(socket, 'close');
        expect(JSON.parse(answer.slice(answer.indexOf('{'), answer.lastIndexOf('}') + 1))).toEqual(body);
      },
    ),
    { numRuns: 20 },
  );
}, 60_000);
