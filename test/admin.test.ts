import { execFile } from 'node:child_process';
import { startTestApi, type TestApi } from './helpers/api.ts';
import { createTestDatabase, type TestDatabase } from './helpers/databases.ts';
import { signIn, signUp } from './helpers/people.ts';

let db: TestDatabase;
let api: TestApi;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});
afterAll(async () => {
  await api.stop();
  await db.drop();
});

function admin(
  arguments_: string[],
  url = db.url,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const environment = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: url };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['src/admin.ts', ...arguments_],
      { env: environment },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

test('create makes an administrator who signs in with the password shown', async () => {
  const { code, stdout } = await admin(['create', 'First@Example.com']);
  expect(code).toBe(0);
  const first = await signIn(api, 'first@example.com', stdout.trim().split('\n').at(-1));
  const { body } = await first.get('/admin/list-users');
  expect(body.users).toMatchObject([{ email: 'first@example.com', role: 'admin', emailVerified: true }]);

  const again = await admin(['create', 'first@example.com']);
  expect(again).toMatchObject({ code: 1, stdout: '' });
  expect(again.stderr).toContain('promote first@example.com');
});

test('promote makes a user administrator, sessions he has included', async () => {
  const person = await signUp(api);
  expect((await person.get('/admin/list-users')).status).toBe(403);
  expect(await admin(['promote', person.email])).toMatchObject({ code: 0, stderr: '' });
  expect((await person.get('/admin/list-users')).status).toBe(200);
});

test('what the command does is in the audit log', async () => {
  const lines = await db.query('select actor_kind, actor_id, action, details from audit_events order by id');
  const operator = { actor_kind: 'system', actor_id: null, details: { role: 'admin' } };
  expect(lines).toEqual([
    { ...operator, action: 'user.created' },
    { ...operator, action: 'user.role_changed' },
  ]);
});

test.each([
  [[], 'Usage'],
  [['create'], 'Usage'],
  [['demote', 'a@example.com'], 'Usage'],
  [['create', 'a@example.com', 'b@example.com'], 'Usage'],
  [['create', 'no address'], 'no address is not a valid e-mail address'],
  [['promote', 'nobody@example.com'], 'create nobody@example.com'],
])('%j says what to do instead', async (arguments_, words) => {
  const { code, stdout, stderr } = await admin(arguments_);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(words);
  expect(stderr).not.toMatch(/\n\s+at /);
});

test('an unreachable database is reported without a stack trace', async () => {
  const { code, stderr } = await admin(['promote', 'a@example.com'], 'postgresql://127.0.0.1:1/nothing');
  expect({ code, stderr }).toEqual({ code: 1, stderr: 'The database of DATABASE_URL cannot be reached.\n' });
});
