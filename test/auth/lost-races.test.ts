import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { makeAdministrator, password, signUp, type Person } from '../helpers/people.ts';

let db: TestDatabase;
let api: TestApi;
let person: Person;
const lines: { level: number; msg: string }[] = [];

beforeAll(async () => {
  db = await createTestDatabase();
  const log = (line: string) => void lines.push(JSON.parse(line) as { level: number; msg: string });
  api = await startTestApi({ database: db.database, log });
  person = await signUp(api);
  await makeAdministrator(db, person);
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

const races: [what: string, status: number, call: (round: number) => ReturnType<TestApi['call']>][] = [
  [
    'for an e-mail address',
    409,
    (round) =>
      api.call('POST', '/api/auth/sign-up/email', {
        json: { name: 'R', email: `race-${round}@example.com`, password },
      }),
  ],
  ['for a slug', 409, (round) => person.post('/organization/create', { name: 'R', slug: `race-${round}` })],
  [
    'of an administrator who makes a user',
    409,
    (round) => person.post('/admin/create-user', { name: 'R', email: `made-${round}@example.com`, password }),
  ],
  [
    'to be the last administrator',
    409,
    () => person.post('/admin/set-role', { userId: person.userId, role: 'user' }),
  ],
  ['with an id that is none', 404, () => person.post('/admin/set-role', { userId: 'none', role: 'user' })],
];

test.each(races)('a race %s that is lost is no error of the service', async (_what, status, call) => {
  lines.length = 0;
  const statuses = new Set<number>();
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all([1, 2, 3, 4].map(() => call(round)));
    for (const answer of answers) statuses.add(answer.status);
  }
  statuses.delete(200);
  expect([...statuses]).toEqual([status]);
  expect(lines.filter(({ level }) => level > 30)).toEqual([]);
});
