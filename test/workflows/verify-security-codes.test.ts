import { pino } from 'pino';
import { restartOverdueDispatches, startUnassignedRows } from '../../src/dispatches/sweep.ts';
import { createTextSealer } from '../../src/messages/sealer.ts';
import { codeRows } from '../../src/security-codes/code-rows.ts';
import { securityCodePepper, startTestApi } from '../helpers/api.ts';
import { startTestService, type TestService } from '../helpers/temporal-service.ts';
import { createTenant } from '../helpers/tenants.ts';
import { until } from '../helpers/until.ts';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  key = await (await createTenant(service.db.database)).createKey({ environment: 'test' });
}, 60_000);

afterAll(() => service.stop());

beforeEach(() => service.syncClock());

interface Sent {
  verificationId: string;
  messageId: string;
}

async function send(to: string, json: Record<string, unknown> = {}): Promise<Sent> {
  const answer = await service.api.call('POST', '/api/v1/security-codes/send', {
    key,
    json: { to, ...json },
  });
  expect(answer.status).toBe(202);
  return answer.body as Sent;
}

async function verify(verificationId: string, code: string) {
  const json = { verificationId, code };
  return (await service.api.call('POST', '/api/v1/security-codes/verify', { key, json })).body;
}

/** The code that the recipient got, once the gateway has it. */
async function codeReceived({ messageId }: Sent): Promise<string> {
  const text = await until('the submission', () => service.submittedTexts.get(messageId));
  return /[0-9]{6}/.exec(text)![0];
}

async function storedStatus(verificationId: string): Promise<string> {
  const [row] = await service.db.query<{ status: string }>('select status from security_codes where id = ?', [
    verificationId,
  ]);
  return row!.status;
}

async function dispatchOf(verificationId: string): Promise<string | null> {
  const [row] = await service.db.query<{ id: string | null }>(
    'select dispatch_id as id from security_codes where id = ?',
    [verificationId],
  );
  return row!.id;
}

/** The workflow that carries a code, once it runs. */
async function workflowOf(verificationId: string): Promise<string> {
  const dispatchId = await until('the dispatch', () => dispatchOf(verificationId));
  const workflowId = `security-codes/${dispatchId}`;
  await until('the workflow', () =>
    describeWorkflow(workflowId).then(
      () => true,
      () => false,
    ),
  );
  return workflowId;
}

const describeWorkflow = (workflowId: string) => service.env.client.workflow.getHandle(workflowId).describe();

async function messageOf({ messageId }: Sent) {
  return (await service.api.call('GET', `/api/v1/messages/${messageId}`, { key })).body;
}

/** Lets reports come, which they do in real time, while skipped time goes on in small steps. */
async function untilDelivered(sent: Sent) {
  return until('the delivery', async () => {
    await service.env.sleep('1 second');
    const message = await messageOf(sent);
    return message.status === 'delivered' && message;
  });
}

async function sealedText({ messageId }: Sent): Promise<unknown> {
  const [row] = await service.db.query<{ sealed_text: unknown }>(
    'select sealed_text from messages where id = ?',
    [messageId],
  );
  return row!.sealed_text;
}

test('a code goes out by the ordinary way of messages, is verified, and its workflow ends by that', async () => {
  const sent = await send('0911234567');
  const workflowId = await workflowOf(sent.verificationId);
  expect(workflowId).toBe(`security-codes/${sent.verificationId}`);
  const code = await codeReceived(sent);
  const message = await untilDelivered(sent);
  // The code is with the recipient, and nowhere here.
  expect(message).toMatchObject({ text: 'Your code is ••••••', status: 'delivered', segments: 1 });
  expect(await sealedText(sent)).toBeNull();

  expect((await describeWorkflow(workflowId)).status.name).toBe('RUNNING');
  expect(await verify(sent.verificationId, code)).toMatchObject({ valid: true, status: 'verified' });
  await until(
    'the end of the workflow',
    async () => (await describeWorkflow(workflowId)).status.name === 'COMPLETED',
  );
  const { closeTime, startTime } = await describeWorkflow(workflowId);
  expect(closeTime!.getTime() - startTime.getTime()).toBeLessThan(300_000);
  await service.saveHistory(workflowId, 'verify-security-codes-verified');
}, 30_000);

test('a code that nobody verifies is written down as expired when its time is over, and then ends its workflow', async () => {
  const sent = await send('0911234567', { ttlSeconds: 1800, purpose: 'expiry' });
  const workflowId = await workflowOf(sent.verificationId);
  const code = await codeReceived(sent);
  expect(await storedStatus(sent.verificationId)).toBe('pending');
  await service.finish(workflowId);
  expect(await storedStatus(sent.verificationId)).toBe('expired');
  const { closeTime, startTime } = await describeWorkflow(workflowId);
  const lifeSeconds = (closeTime!.getTime() - startTime.getTime()) / 1000;
  expect(lifeSeconds).toBeGreaterThan(1790);
  expect(lifeSeconds).toBeLessThan(1830);
  await service.syncClock();
  expect(await verify(sent.verificationId, code)).toMatchObject({ valid: false, status: 'expired' });
  await service.saveHistory(workflowId, 'verify-security-codes-expired');
}, 30_000);

test('the code that ends a dispatch by its last guess, or by being superseded, ends its workflow', async () => {
  const exhausted = await send('0922345678', { maxAttempts: 1 });
  const code = await codeReceived(exhausted);
  const wrong = code === '000000' ? '111111' : '000000';
  const workflowId = await workflowOf(exhausted.verificationId);
  expect(await verify(exhausted.verificationId, wrong)).toMatchObject({
    status: 'incorrect',
    attemptsRemaining: 0,
  });

  const superseded = await send('0933345678');
  const otherWorkflowId = await workflowOf(superseded.verificationId);
  await send('0933345678');
  for (const id of [workflowId, otherWorkflowId]) {
    await until(
      'the end of the workflow',
      async () => (await describeWorkflow(id)).status.name === 'COMPLETED',
    );
  }
  expect(await storedStatus(superseded.verificationId)).toBe('superseded');
  const open = await service.db.query(
    `select id from dispatches where kind = 'security-codes' and settled_at is null and id in (?, ?)`,
    [exhausted.verificationId, superseded.verificationId],
  );
  expect(open).toEqual([]);
}, 30_000);

test('the details of a workflow tell an operator where its codes stand, and nothing personal', async () => {
  const sent = await send('0944345678');
  const workflowId = await workflowOf(sent.verificationId);
  const code = await codeReceived(sent);
  const handle = service.env.client.workflow.getHandle(workflowId);
  const details = await until('the details', async () => {
    const metadata = await handle.query<{ currentDetails?: string }>('__temporal_workflow_metadata');
    return metadata.currentDetails?.includes(sent.verificationId) && metadata.currentDetails;
  });
  expect(details).toMatch(/\| pending \| 1 \|/);
  expect(details).toContain('expires at');
  expect(details).toMatch(/message (queued|accepted|sent|delivered)/);
  expect(details).not.toMatch(/944345678/);
  expect(details).not.toContain(code);
});

test('a code whose message could not be submitted in time is never sent late', async () => {
  await service.gatewayLine.cut();
  const sent = await send('0955345678', { ttlSeconds: 60 });
  const workflowId = await workflowOf(sent.verificationId);
  await service.finish(workflowId);
  const message = await until('the end of the message', async () => {
    await service.env.sleep('5 seconds');
    const found = await messageOf(sent);
    return found.status === 'failed' && found;
  });
  await service.gatewayLine.restore();
  expect(message).toMatchObject({ errorCode: 'validity_expired', text: 'Your code is ••••••' });
  expect(service.submittedTexts.get(sent.messageId)).toBeUndefined();
  expect(await sealedText(sent)).toBeNull();
}, 60_000);

test('a text sealed under another pepper than the worker’s is not sent, and told to the operator; put right, it is', async () => {
  await service.gatewayLine.cut();
  const sent = await send('0966345678');
  const reseal = (pepper: string) =>
    service.db.query(`update messages set sealed_text = decode(?, 'base64') where id = ?`, [
      createTextSealer({ pepper }).seal(sent.messageId, 'Your code is 123456'),
      sent.messageId,
    ]);
  await reseal('x'.repeat(32));
  await service.gatewayLine.restore();
  await until('the failure to be on the timeline', async () => {
    await service.env.sleep('5 seconds');
    const rows = await service.db.query(
      `select id from message_events where message_id = ? and details->>'reason' = 'sealed_text_unreadable'`,
      [sent.messageId],
    );
    return rows.length > 0;
  });
  expect(service.submittedTexts.has(sent.messageId)).toBe(false);
  expect(await messageOf(sent)).toMatchObject({ status: 'queued' });
  await reseal(securityCodePepper);
  await untilDelivered(sent);
  expect(service.submittedTexts.get(sent.messageId)).toBe('Your code is 123456');
}, 30_000);

test('a code that was committed while Temporal was down gets its workflow by the sweep, and a lost one again', async () => {
  // Of the time that the tests before have skipped: by the clock on the wall the code would have expired long ago.
  const skippedMs = (await service.env.currentTimeMs()) - Date.now();
  const now = () => new Date(Date.now() + skippedMs);
  const offline = await startTestApi({ database: service.db.database, now });
  const { body } = await offline.call('POST', '/api/v1/security-codes/send', {
    key,
    json: { to: '0977345678', ttlSeconds: 60 },
  });
  await offline.stop();
  const { verificationId } = body as Sent;
  const sweep = {
    database: service.db.database,
    workflowClient: service.env.client.workflow,
    log: pino({ level: 'silent' }),
  };
  // The process that stored it assigns it to a dispatch after its answer. That is waited for and undone, so that the
  // code is as one whose process died before; and rows that have just been stored are left to their process, so it is
  // made older.
  await until('the dispatch', () => dispatchOf(verificationId));
  await service.db.query(
    `update security_codes set created_at = now() - interval '1 minute', dispatch_id = null where id = ?`,
    [verificationId],
  );
  await service.db.query(`delete from dispatches where id = ? and kind = 'security-codes'`, [verificationId]);
  await startUnassignedRows(sweep, codeRows);
  const workflowId = await workflowOf(verificationId);
  await service.terminateAsleep(workflowId);
  await service.db.query(
    `update dispatches set wake_at = now() - interval '1 minute' where id = ? and kind = 'security-codes'`,
    [verificationId],
  );
  await restartOverdueDispatches(sweep, codeRows);
  await service.finish(workflowId);
  expect(await storedStatus(verificationId)).toBe('expired');
}, 30_000);
