/**
 * Gives each test and hook a time limit, which the runner does not have. A test that hangs fails and does not block the
 * whole run. Loaded before every test file (jest.config.js).
 */

/** The limit is generous, because no guarantee is about time, and a busy machine is slow. */
const defaultLimitMs = 120_000;

type Body = (...values: never[]) => unknown;
type Register = (name: string, body: Body, limitMs?: number) => void;
type RegisterHook = (body: Body, limitMs?: number) => void;
type Test = Register & { only: Register; skip: Register; each: (...table: unknown[]) => Register };

/** A test or hook may name a longer limit. A shorter one would only make it depend on the speed of the machine. */
function limited(body: Body, namedLimitMs = 0): Body {
  const limitMs = Math.max(namedLimitMs, defaultLimitMs);
  return async (...values) => {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`It took more than ${limitMs} ms.`)), limitMs);
    });
    try {
      return await Promise.race([body(...values), limit]);
    } finally {
      clearTimeout(timer);
    }
  };
}

function limitTests(register: Test): Test {
  const limit =
    (target: Register): Register =>
    (name, body, limitMs) =>
      target(name, limited(body, limitMs));
  const each = (...table: unknown[]): Register => limit(register.each(...table));
  return Object.assign(limit(register), { each, only: limit(register.only), skip: register.skip });
}

function limitHook(register: RegisterHook): RegisterHook {
  return (body, limitMs) => register(limited(body, limitMs));
}

const globals = globalThis as unknown as Record<string, unknown>;
globals['test'] = globals['it'] = limitTests(globals['test'] as Test);
for (const hook of ['beforeAll', 'beforeEach', 'afterEach', 'afterAll']) {
  globals[hook] = limitHook(globals[hook] as RegisterHook);
}
