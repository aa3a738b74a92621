import { SmsClient } from '../../client/src/index.ts';
import { methodNames } from '../../scripts/client/method-names.ts';
import { bundleContract } from '../../src/http/contract/bundle-contract.ts';

interface Operation {
  operationId: string;
  summary: string;
  'x-permission': string;
  parameters?: { $ref?: string; in?: string }[];
  requestBody?: object;
}

/** What people reach with a browser from a mail or a provider, and programs have no use for. */
const forBrowsers = ['finishSocialSignIn', 'openEmailVerification', 'openPasswordReset', 'openPasswordPage'];

const paths = bundleContract().paths as unknown as Record<string, Record<string, Operation>>;
const operations = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
);
const callable = operations.filter(
  ({ operationId, ...operation }) =>
    operation['x-permission'] !== 'gateway' && !forBrowsers.includes(operationId),
);

type Methods = Record<string, (...values: unknown[]) => unknown>;

/** The methods of a client, as `messages.send`, with those of the generated class beneath a hand-written one. */
function methodsOf(client: SmsClient): string[] {
  return Object.entries(client).flatMap(([resource, methods]) => {
    const names = new Set<string>();
    for (let type = Object.getPrototypeOf(methods); type.constructor.name !== 'Resource';) {
      for (const name of Object.getOwnPropertyNames(type)) if (name !== 'constructor') names.add(name);
      type = Object.getPrototypeOf(type);
    }
    return [...names].map((name) => `${resource}.${name}`);
  });
}

/** Calls a method with an id for each parameter of the path, and returns the request that it sends. */
async function requestOf({ path, ...operation }: (typeof callable)[number]): Promise<string> {
  const sent: string[] = [];
  const client = new SmsClient({
    baseUrl: 'http://sms.example.com/base/',
    maxRetries: 0,
    fetch: (url, init) => {
      const { host, pathname } = new URL(url);
      sent.push(`${host} ${init!.method} ${pathname} ${init!.body === undefined ? 'empty' : 'body'}`);
      return Promise.reject(new DOMException('enough', 'AbortError'));
    },
  });
  const [resource, name] = methodNames[operation.operationId]!.split('.') as [keyof SmsClient, string];
  const ids = [...path.matchAll(/\{\w+\}/g)].map(() => 'the-id');
  const input = operation.requestBody ? [{ organizationId: 'x' }] : [];
  // What comes after the ids and the body has a default: a query and the options.
  const result = (client[resource] as unknown as Methods)[name]!(...ids, ...input) as {
    page?: () => Promise<unknown>;
    open?: () => Promise<unknown>;
  };
  const opened = result.page?.() ?? result.open?.() ?? (result as Promise<unknown>);
  await opened.catch(() => undefined);
  return sent[0]!;
}

test('every operation that a key or a session may call has a method, and no other one has', () => {
  expect(callable.length).toBeGreaterThan(110);
  expect(Object.keys(methodNames).toSorted()).toEqual(
    callable.map(({ operationId }) => operationId).toSorted(),
  );
});

test('every method is one operation, but those that are written by hand', () => {
  const methods = methodsOf(new SmsClient({ baseUrl: 'http://127.0.0.1' }));
  expect(methods.toSorted()).toEqual([...Object.values(methodNames), 'messages.waitFor'].toSorted());
  expect(new Set(Object.values(methodNames)).size).toBe(Object.keys(methodNames).length);
});

test.each(callable.map((operation) => [methodNames[operation.operationId], operation] as const))(
  '%s sends the request of its operation',
  async (_name, operation) => {
    const path = operation.path.replaceAll(/\{\w+\}/g, 'the-id');
    const body = operation.requestBody ? 'body' : 'empty';
    expect(await requestOf(operation)).toBe(`sms.example.com ${operation.method} /base${path} ${body}`);
  },
);
