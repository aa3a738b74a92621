import { createRedrivePage } from '../../src/redrives/redrive-page.ts';
import { startTestApi, type Answer, type TestApi } from './api.ts';
import { createTestDatabase, type TestDatabase } from './databases.ts';
import { makeAdministrator, signUp, type Person } from './people.ts';

export const redrivePaths = {
  messages: '/api/v1/admin/messages/redrive',
  webhook_deliveries: '/api/v1/admin/webhook-deliveries/redrive',
} as const;

/** An API with an administrator, and the work of redrives without their workflow. */
export interface RedriveTest {
  db: TestDatabase;
  api: TestApi;
  administrator: Person;
  /** Returns the rows that were given to a dispatch since the last call. */
  takeStarted: () => string[];
  /** The work of the activity. */
  redrivePage: ReturnType<typeof createRedrivePage>;
  /** Requests a redrive, which is accepted. */
  request: (kind: keyof typeof redrivePaths, json: object) => Promise<Answer['body']>;
  read: (id: string) => Promise<Answer['body']>;
  /** Runs a redrive until it ends, as its workflow does. */
  carryOut: (id: string) => Promise<Answer['body']>;
  stop: () => Promise<void>;
}

/** Without a workflow client Temporal is down. Every request still gets a response. */
export async function startRedriveTest(): Promise<RedriveTest> {
  const db = await createTestDatabase();
  const api = await startTestApi({ database: db.database });
  const administrator = await signUp(api);
  await makeAdministrator(db, administrator);
  const started: string[] = [];
  const start = ({ id }: { id: string }) => void started.push(id);
  const redrivePage = createRedrivePage({
    database: db.database,
    ...{ startMessages: start, startWebhooks: start },
    now: () => new Date(),
  });
  const read = async (id: string): Promise<Answer['body']> =>
    (await administrator.call('GET', `/api/v1/admin/redrives/${id}`)).body;
  return {
    db,
    api,
    administrator,
    takeStarted: () => started.splice(0),
    redrivePage,
    request: async (kind, json) => {
      const { status, body } = await administrator.call('POST', redrivePaths[kind], { json });
      expect({ status, body }).toMatchObject({ status: 202 });
      return body;
    },
    read,
    carryOut: async (id) => {
      let progress = await redrivePage(id);
      while (progress?.status === 'running') progress = await redrivePage(id);
      return read(id);
    },
    stop: async () => {
      await api.stop();
      await db.drop();
    },
  };
}

/** The filter that matches everything of an organization that was created within an hour. */
export function withinAnHour(organizationId?: string): { from: string; to: string; organizationId?: string } {
  const hourMs = 3_600_000;
  return {
    from: new Date(Date.now() - hourMs).toISOString(),
    to: new Date(Date.now() + hourMs).toISOString(),
    ...(organizationId !== undefined && { organizationId }),
  };
}
