import { findProgram } from '../../scripts/embedded/cache.ts';
import { findBreakingChanges } from '../../scripts/release/find-breaking-changes.ts';
import { findOasdiff } from '../../scripts/release/find-oasdiff.ts';
import { compareVersions, mayBreak, readVersion } from '../../scripts/release/versions.ts';
import { bundleContract } from '../../src/http/contract/bundle-contract.ts';

// oasdiff is built with Go.
const isBuildable = [findProgram('oasdiff'), findProgram('go', ['/usr/local/go/bin'])].some(Boolean);
const withOasdiff = isBuildable ? describe : describe.skip;

// oxlint-disable-next-line typescript/no-explicit-any
type Contract = any;

const schemasOf = (contract: Contract) => contract.components.schemas;

const breaking: [name: string, change: (contract: Contract) => void, says: string][] = [
  [
    'a removed field of a response',
    (contract) => {
      const { Message } = schemasOf(contract);
      delete Message.properties.segments;
      Message.required = Message.required.filter((name: string) => name !== 'segments');
    },
    'segments',
  ],
  [
    'a new required field of a request',
    (contract) => {
      const { MessageInput } = schemasOf(contract);
      MessageInput.properties.priority = { type: 'string' };
      MessageInput.required.push('priority');
    },
    'priority',
  ],
  [
    'a removed optional field of a request, which would be refused as unknown',
    (contract) => void delete schemasOf(contract).MessageInput.properties.metadata,
    'metadata',
  ],
  [
    'a shorter text',
    (contract) => void (schemasOf(contract).MessageInput.properties.text.maxLength = 160),
    '160',
  ],
  [
    'a field of a response that may be null',
    (contract) => void (schemasOf(contract).Message.properties.segments.type = ['integer', 'null']),
    'segments',
  ],
  [
    'a removed operation',
    (contract) => void delete contract.paths['/api/v1/messages/estimate'],
    '/api/v1/messages/estimate',
  ],
  [
    'a new status of messages, whose statuses are a closed list',
    (contract) => void schemasOf(contract).MessageStatus.enum.push('paused'),
    'paused',
  ],
  [
    'a removed value of an open list',
    (contract) => void schemasOf(contract).Permission.enum.shift(),
    'messages:send',
  ],
  [
    'a removed field of a webhook',
    (contract) => {
      const { MessageSnapshot } = schemasOf(contract);
      delete MessageSnapshot.properties.status;
      MessageSnapshot.required = MessageSnapshot.required.filter((name: string) => name !== 'status');
    },
    'status',
  ],
];

const harmless: [name: string, change: (contract: Contract) => void][] = [
  ['no change', () => undefined],
  [
    'a new field of a response',
    (contract) => {
      const { Message } = schemasOf(contract);
      Message.properties.priority = { type: 'string' };
      Message.required.push('priority');
    },
  ],
  [
    'a new optional field of a request',
    (contract) => void (schemasOf(contract).MessageInput.properties.priority = { type: 'string' }),
  ],
  [
    'a new operation',
    ({ paths }) => {
      paths['/api/v1/messages/preview'] = structuredClone(paths['/api/v1/messages/estimate']);
    },
  ],
  [
    'a new audit action, which is in an open list',
    (contract) => void schemasOf(contract).AuditAction.enum.push('x.y'),
  ],
  [
    'a new field of a webhook',
    (contract) => {
      const { MessageSnapshot } = schemasOf(contract);
      MessageSnapshot.properties.priority = { type: 'string' };
      MessageSnapshot.required.push('priority');
    },
  ],
];

withOasdiff('the contract is compared with the one of the last release', () => {
  let oasdiff: string;
  beforeAll(async () => {
    oasdiff = await findOasdiff({ cacheDir: '.cache', progress: () => undefined });
  }, 600_000);

  const changesOf = (change: (contract: Contract) => void) => {
    const after = structuredClone(bundleContract());
    change(after);
    return findBreakingChanges(oasdiff, bundleContract(), after);
  };

  test.each(breaking)('%s breaks clients', async (_name, change, says) => {
    const changes = await changesOf(change);
    expect(changes.join('\n')).toContain(says);
  });

  test.each(harmless)('%s breaks no client', async (_name, change) => {
    expect(await changesOf(change)).toEqual([]);
  });
});

test.each([
  ['0.1.0', '0.1.1', false],
  ['0.1.9', '0.2.0', true],
  ['0.9.0', '1.0.0', true],
  ['1.2.3', '1.3.0', false],
  ['1.2.3', '2.0.0', true],
])('after %s, version %s may break clients: %s', (from, to, expected) => {
  expect(mayBreak(from, to)).toBe(expected);
});

test('versions are compared by their numbers', () => {
  expect(['0.10.0', '1.0.0', '0.9.1', '0.9.0'].toSorted(compareVersions)).toEqual([
    ...['0.9.0', '0.9.1', '0.10.0', '1.0.0'],
  ]);
});

test.each(['', '1.2', 'v1.2.3', '1.2.3-rc.1', '01.2.3'])('“%s” is not a version', (text) => {
  expect(() => readVersion(text)).toThrow('is not a version');
});
