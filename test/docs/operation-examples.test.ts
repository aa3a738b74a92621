/**
 * A test over openapi.yaml: each operation is sent with its example, and succeeds. An operation joins it by being written
 * there; one with a body needs an example of it. The responses are validated against openapi.yaml.
 */
import { isPermission } from '../../src/auth/permissions.ts';
import { loadContract, type Operation } from '../../src/http/contract/contract.ts';
import type { CallOptions } from '../helpers/api.ts';
import { createExampleWorld, type ExampleWorld } from '../helpers/example-world.ts';
import {
  prepareExamplesOfAccounts,
  prepareExamplesOfAdministrators,
  prepareExamplesOfOrganizations,
} from '../helpers/prepare-account-examples.ts';
import {
  makersOfIds,
  prepareExamplesOfMessages,
  type Prepared,
  type Preparations,
} from '../helpers/prepare-examples.ts';

interface Media {
  example?: Body;
  examples?: Record<string, { value: Body }>;
}

type Body = Record<string, unknown>;

interface Described {
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

let world: ExampleWorld;
let makers: Record<string, () => Promise<string>>;
let preparations: Preparations;

beforeAll(async () => {
  world = await createExampleWorld();
  makers = makersOfIds(world);
  preparations = {
    ...prepareExamplesOfMessages(world),
    ...prepareExamplesOfAccounts(world),
    ...prepareExamplesOfOrganizations(world),
    ...prepareExamplesOfAdministrators(world),
  };
}, 60_000);

afterAll(() => world.stop());

const { operations, document } = loadContract();
const describedBy = ({ method, path }: Operation) =>
  (document.paths[path] as unknown as Record<string, Described>)[method.toLowerCase()]!;

/** Each operation with each of its example bodies; undefined for an operation without a body. */
const cases = operations.flatMap((operation): [string, Operation, Body | undefined][] => {
  const name = `${operation.method} ${operation.path}`;
  const media = describedBy(operation).requestBody?.content['application/json'];
  if (!media) return [[name, operation, undefined]];
  const several = Object.entries(media.examples ?? {});
  if (several.length === 0) return [[name, operation, media.example]];
  return several.map(([example, { value }]) => [`${name} (${example})`, operation, value]);
});

test('each operation with a body has an example of it', () => {
  const without = cases.filter(([, { bodySchema }, body]) => bodySchema !== undefined && body === undefined);
  expect(without.map(([name]) => name)).toEqual([]);
});

test.each(cases)('the example of %s succeeds', async (_name, operation, body) => {
  const prepared = (await preparations[operation.operationId]?.()) ?? {};
  const target = await targetOf(operation, prepared);
  const options = {
    ...(prepared.caller ?? callerOf(operation)),
    ...(body && { json: { ...withKnownIds(inTheFuture(body)), ...prepared.body } }),
  };
  const { status, problem } = await send(operation, target, options);
  expect({ status, problem }).toEqual({ status: expect.any(Number), problem: undefined });
  expect(Object.keys(describedBy(operation).responses)).toContain(String(status));
});

/** Sends a request. A stream is ended when it has begun. */
async function send(operation: Operation, target: string, options: CallOptions) {
  const { '200': ok } = describedBy(operation).responses;
  if (!ok?.content?.['text/event-stream']) {
    const { status, body } = await world.api.call(operation.method, target, options);
    return { status, problem: status >= 400 ? (body as unknown) : undefined };
  }
  const stop = new AbortController();
  const response = await fetch(`${world.api.baseUrl}${target}`, {
    headers: options.key ? { 'X-API-Key': options.key } : { Authorization: `Bearer ${options.session}` },
    signal: stop.signal,
  });
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  stop.abort();
  return { status: response.status, problem: undefined };
}

async function targetOf(operation: Operation, { path = {}, query = {} }: Prepared): Promise<string> {
  const { path: pattern, queryParameters, permission } = operation;
  const ids = { ...path };
  for (const [, name] of pattern.matchAll(/\{(\w+)\}/g)) ids[name!] ??= await makers[name!]!();
  const needsOrganization =
    queryParameters.has('organizationId') && !isPermission(permission) && permission !== 'admin';
  const search = new URLSearchParams({
    ...(needsOrganization && { organizationId: world.organizationId }),
    ...query,
  });
  const target = pattern.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name]!);
  return search.size > 0 ? `${target}?${search.toString()}` : target;
}

/** Who calls an operation, by its x-permission. */
function callerOf({ permission }: Operation): CallOptions {
  if (isPermission(permission)) return { key: world.key };
  if (permission === 'admin') return { session: world.administrator.token };
  return permission === 'public' || permission === 'gateway' ? {} : { session: world.owner.token };
}

/** The organization of an example does not exist; every caller here acts for the same one. */
function withKnownIds(body: Body): Body {
  return 'organizationId' in body ? { ...body, organizationId: world.organizationId } : body;
}

/** The examples were written in 2026. What lay in the future then lies in it again. */
function inTheFuture(body: Body): Body {
  const years = new Date().getFullYear() - 2026;
  const shift = (text: string) => text.replace(/^\d{4}/, (year) => String(Number(year) + years));
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      ['startsAt', 'endsAt', 'scheduledAt', 'expiresAt'].includes(name) ? shift(String(value)) : value,
    ]),
  );
}
