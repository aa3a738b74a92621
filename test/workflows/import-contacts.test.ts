import { pino } from 'pino';
import { importWorkflowIdOf } from '../../workflows/contract.ts';
import { importWorkflow } from '../../src/contacts/import/import-workflow.ts';
import { startOverdueRows } from '../../src/dispatches/row-workflows.ts';
import { startTestApi, type Answer } from '../helpers/api.ts';
import { textOf } from '../helpers/history-text.ts';
import { startTestService, type TestService } from '../helpers/temporal-service.ts';
import { createTenant, type Tenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let service: TestService;
let tenant: Tenant;
let key: string;

beforeAll(async () => {
  service = await startTestService();
}, 60_000);

afterAll(() => service.stop());

beforeEach(async () => {
  tenant = await createTenant(service.db.database);
  key = await tenant.createKey();
});

function largeCsv(rows: number): string {
  const lines = Array.from({ length: rows }, (_none, index) => `0${911_234_500 + index},${'x'.repeat(90)}`);
  return `phone,first name\n${lines.join('\n')}\n0911\n`;
}

const expected = { status: 'completed', imported: 4000, updated: 0, skipped: 0, rejected: 1 };

async function finished(importId: string): Promise<Answer> {
  return until<Answer>('the import to be completed', async () => {
    await service.env.sleep('1 second');
    const answer = await service.api.call('GET', `/api/v1/contacts/imports/${importId}`, { key });
    return answer.body.status === 'completed' && answer;
  });
}

test('a large file is answered before it is imported, and its workflow carries it to the end', async () => {
  const json = { organizationId: tenant.organizationId, file: largeCsv(4000) };
  const { status, body } = await service.api.call('POST', '/api/v1/contacts/import', { key, json });
  expect(status).toBe(202);
  const { body: record } = await finished(body.id as string);
  expect(record).toMatchObject(expected);
  const workflowId = importWorkflowIdOf(body.id as string);
  await service.finish(workflowId);
  await service.saveHistory(workflowId, 'import-contacts');
  const history = textOf(await service.env.client.workflow.getHandle(workflowId).fetchHistory());
  expect(history).toContain(body.id);
  expect(history).not.toContain('911234500');
});

test('an import that was stored while Temporal was down is started by the sweep', async () => {
  const { database } = service.db;
  const offline = await startTestApi({ database });
  const json = { organizationId: tenant.organizationId, file: largeCsv(4000) };
  const { status, body } = await offline.call('POST', '/api/v1/contacts/import', { key, json });
  expect(status).toBe(202);
  await offline.stop();
  await until('the sweep to find it', async () => {
    const log = pino({ level: 'silent' });
    await startOverdueRows({ database, workflowClient: service.env.client.workflow, log }, importWorkflow);
    const [row] = await service.db.query<{ waiting: boolean }>(
      `select status = 'processing' and wake_at < now() + interval '30 seconds' as waiting from contact_imports where id = ?`,
      [body.id],
    );
    return !row!.waiting;
  });
  expect((await finished(body.id as string)).body).toMatchObject(expected);
});
