import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { readerOf, visibleNotifications } from '../../src/notifications/notification-record.ts';
import { startTestApi, type TestApi } from '../helpers/api.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/databases.ts';
import { eventFor, join, tell } from '../helpers/notifications.ts';
import { createOrganization, problemOf, signUp, type Person } from '../helpers/people.ts';
import { countRowsRead } from '../helpers/rows-read.ts';

const path = '/api/v1/notifications';

let db: TestDatabase;
let api: TestApi;
let abebe: Person;
let almaz: Person;
let organizationId: string;

beforeAll(async () => {
  db = await createTestDatabase();
  api = await startTestApi({ database: db.database });
});

beforeEach(async () => {
  [abebe, almaz] = [await signUp(api), await signUp(api)];
  ({ organizationId } = await createOrganization(abebe, [{ person: almaz, role: 'member' }]));
  await db.query('delete from notifications');
});

afterAll(async () => {
  await api.stop();
  await db.drop();
});

/** Tells someone of so many batches, one after the other; answers what they are about, the newest first. */
async function tellMany(person: Person, count: number, organization = organizationId): Promise<string[]> {
  const subjects: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const event = eventFor(person, organization);
    await tell(db, [event]);
    subjects.unshift(event.subjectId);
  }
  return subjects;
}

const list = async (person: Person, query = '') => {
  const answer = await person.call('GET', `${path}/${query}`);
  return { ...answer.body, status: answer.status, subjects: answer.body.data?.map(subjectOf) };
};
const subjectOf = ({ subjectId }: { subjectId: string }) => subjectId;

test('are listed to whom they concern and to nobody else, newest first, in pages', async () => {
  const subjects = await tellMany(abebe, 5);
  await tellMany(almaz, 1);
  const first = await list(abebe, '?limit=3');
  expect(first).toMatchObject({ status: 200, subjects: subjects.slice(0, 3), unreadCount: 5 });
  expect(first.data[0]).toMatchObject({ organizationId, kind: 'batch_completed', readAt: null });
  // What is told meanwhile moves no page.
  await tellMany(abebe, 1);
  const second = await list(abebe, `?limit=3&cursor=${first.pagination.nextCursor}`);
  expect(second).toMatchObject({ subjects: subjects.slice(3), pagination: { limit: 3, nextCursor: null } });
});

test('are filtered by what was not read, and the unread are counted', async () => {
  const [newest, middle, oldest] = await tellMany(abebe, 3);
  const { data } = await list(abebe);
  await abebe.call('PATCH', `${path}/${data[1].id}/read`);
  expect(await list(abebe, '?unread=true')).toMatchObject({ subjects: [newest, oldest], unreadCount: 2 });
  expect(await list(abebe, '?unread=false')).toMatchObject({ subjects: [newest, middle, oldest] });
});

test('are counted up to a thousand', async () => {
  await tell(
    db,
    Array.from({ length: 1002 }, () => eventFor(abebe, organizationId)),
  );
  expect((await list(abebe)).unreadCount).toBe(1000);
});

test('are marked as read once: repeating it keeps the time', async () => {
  await tellMany(abebe, 1);
  const { data } = await list(abebe);
  const read = () => abebe.call('PATCH', `${path}/${data[0].id}/read?organizationId=${organizationId}`);
  const first = await read();
  expect(first).toMatchObject({ status: 200, body: { ...data[0], readAt: expect.any(String) } });
  expect((await read()).body).toEqual(first.body);
  expect((await list(abebe)).unreadCount).toBe(0);
});

test.each([
  ['of a colleague', () => list(almaz).then(({ data }) => data[0].id as string)],
  ['that is none', () => Promise.resolve(uuidv7())],
  ['that is no id', () => Promise.resolve('x')],
])('one %s cannot be marked, with the same answer', async (...[, find]) => {
  await tellMany(almaz, 1);
  const { status, body } = await abebe.call('PATCH', `${path}/${await find()}/read`);
  expect({ ...body, status, requestId: '' }).toEqual({
    ...{ type: `${api.baseUrl}/errors/not_found`, title: 'Not found', status: 404, code: 'not_found' },
    ...{ detail: 'Not found.', requestId: '' },
  });
  expect((await list(almaz)).unreadCount).toBe(1);
});

test('are all marked as read in one organization, for the caller only', async () => {
  const other = await createOrganization(abebe);
  await tellMany(abebe, 2);
  await tellMany(almaz, 1);
  await tellMany(abebe, 1, other.organizationId);
  const readAll = () => abebe.call('POST', `${path}/read-all`, { json: { organizationId } });
  expect((await readAll()).body).toEqual({ read: 2 });
  expect((await readAll()).body).toEqual({ read: 0 });
  expect((await list(abebe, `?organizationId=${other.organizationId}`)).unreadCount).toBe(1);
  expect((await list(almaz)).unreadCount).toBe(1);
});

test('of each organization are seen there alone', async () => {
  const other = await createOrganization(abebe);
  const here = await tellMany(abebe, 1);
  const there = await tellMany(abebe, 1, other.organizationId);
  expect((await list(abebe, `?organizationId=${organizationId}`)).subjects).toEqual(here);
  const { data, subjects } = await list(abebe, `?organizationId=${other.organizationId}`);
  expect(subjects).toEqual(there);
  const elsewhere = `${path}/${data[0].id}/read?organizationId=${organizationId}`;
  expect(problemOf(await abebe.call('PATCH', elsewhere))).toEqual({ status: 404, code: 'not_found' });
});

test('of an organization that someone has left are seen by him no more', async () => {
  await tellMany(almaz, 1);
  const { data } = await list(almaz);
  await db.query('delete from members where user_id = ?', [almaz.userId]);
  expect(problemOf(await almaz.call('GET', `${path}/?organizationId=${organizationId}`))).toEqual({
    ...{ status: 404, code: 'not_found' },
  });
  expect(await list(almaz)).toMatchObject({ data: [], unreadCount: 0 });
  expect(problemOf(await almaz.call('PATCH', `${path}/${data[0].id}/read`)).status).toBe(404);
});

test('of an invitation are seen by who belongs to no organization, and can be marked', async () => {
  const guest = await signUp(api);
  const { body } = await abebe.post('/organization/invite-member', {
    ...{ email: guest.email, role: 'admin', organizationId },
  });
  const { data, unreadCount } = await list(guest);
  expect({ data, unreadCount }).toMatchObject({
    data: [{ kind: 'invitation_received', subjectId: body.id, organizationId: null }],
    unreadCount: 1,
  });
  // Also while he looks at an organization of his own.
  const own = await createOrganization(guest);
  expect((await list(guest, `?organizationId=${own.organizationId}`)).subjects).toEqual([body.id]);
  expect((await guest.call('PATCH', `${path}/${data[0].id}/read`)).status).toBe(200);
  expect((await list(guest)).unreadCount).toBe(0);
});

test('need an organization to be named where there are several', async () => {
  const twice = await signUp(api);
  const { organizationId: first } = await createOrganization(twice);
  await createOrganization(twice);
  await db.query('update sessions set active_organization_id = null where user_id = ?', [twice.userId]);
  expect(problemOf(await twice.call('GET', path))).toEqual({ status: 400, code: 'organization_required' });
  expect((await list(twice, `?organizationId=${first}`)).status).toBe(200);
});

test.each([
  ['GET', `${path}/`],
  ['GET', `${path}/stream`],
  ['PATCH', `${path}/019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11/read`],
])('%s %s answers who is no member of the organization that there is none', async (method, target) => {
  const stranger = await signUp(api);
  await join(db, stranger, (await createOrganization(await signUp(api))).organizationId);
  const named = await stranger.call(method, `${target}?organizationId=${organizationId}`);
  const none = await stranger.call(method, `${target}?organizationId=${uuidv7()}`);
  expect(problemOf(named)).toEqual({ status: 404, code: 'not_found' });
  expect({ ...named.body, requestId: '' }).toEqual({ ...none.body, requestId: '' });
});

test.each([
  ['GET', '/?unread=maybe', undefined, '/query/unread'],
  ['GET', '/?limit=0', undefined, '/query/limit'],
  ['GET', '/?limit=201', undefined, '/query/limit'],
  ['GET', '/?cursor=x', undefined, '/query/cursor'],
  ['GET', '/?kind=batch_failed', undefined, '/query/kind'],
  ['POST', '/read-all', {}, '/body/organizationId'],
  ['POST', '/read-all', { organizationId: 1 }, '/body/organizationId'],
  ['POST', '/read-all', { organizationId: '1', more: 1 }, '/body/more'],
])('%s %s with %j is refused and changes nothing', async (...row) => {
  const [method, target, json, field] = row;
  await tellMany(abebe, 1);
  const { status, body } = await abebe.call(method, `${path}${target}`, json === undefined ? {} : { json });
  expect({
    status,
    code: body.code,
    fields: body.errors.map((error: { path: string }) => error.path),
  }).toEqual({
    ...{ status: 400, code: 'invalid_request', fields: expect.arrayContaining([field]) },
  });
  expect((await list(abebe)).unreadCount).toBe(1);
});

test('are read by index, however many there are of others and of other organizations', async () => {
  const other = await createOrganization(abebe);
  await tellMany(abebe, 1);
  await db.query(
    `insert into notifications (id, organization_id, user_id, kind, subject_id, occurrence, title, body, data, position, created_at)
     select gen_random_uuid(), ?, ?, 'batch_completed', gen_random_uuid(), n::text, 'x', 'x', '{}', nextval('notification_positions'), now()
     from generate_series(1, 20000) n`,
    [other.organizationId, abebe.userId],
  );
  await db.query('analyze notifications');
  const reader = readerOf({ userId: abebe.userId, organizationId });
  const visible = visibleNotifications(reader, sql`true`, { order: 'desc', limit: 51 });
  const rowsRead = await countRowsRead(db.database, 'notifications', sql`select * from ${visible} listed`);
  expect(rowsRead).toBeLessThanOrEqual(2 * 51);
  expect((await list(abebe, `?organizationId=${organizationId}`)).subjects).toHaveLength(1);
});
