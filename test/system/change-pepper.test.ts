import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { isSignedWith, startWebhookReceiver, type WebhookReceiver } from '../../bench/webhook-receiver.ts';
import { createTextSealer } from '../../src/messages/sealer.ts';
import { startBlackBox, type BlackBox } from '../helpers/black-box.ts';
import { until } from '../helpers/until.ts';

const secret = 'a-secret-of-16-chars';
const newPepper = 'the-new-pepper-of-at-least-32-characters';
const [firstKey, secondKey] = [`first:${'1'.repeat(32)}`, `second:${'2'.repeat(32)}`];

let dataDir: string;
let receiver: WebhookReceiver;
let service: BlackBox | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sms-pepper-'));
  receiver = await startWebhookReceiver();
}, 60_000);

afterAll(async () => {
  await service?.stop();
  await receiver?.stop();
  await rm(dataDir, { recursive: true, force: true });
}, 60_000);

async function restartWith(environment: Record<string, string>): Promise<BlackBox> {
  await service?.stop();
  service = await startBlackBox({ DATA_DIR: dataDir, ...environment });
  return service;
}

async function send(one: BlackBox): Promise<string> {
  const webhook = { url: `${receiver.baseUrl}/`, secret };
  const answer = await one.post({ to: '0911234567', text: 'Selam', webhook }, one.demo.liveApiKey);
  if (!('message' in answer)) throw new Error(`The response was ${String(answer.status)}.`);
  return answer.message.id;
}

async function callCodes(one: BlackBox, path: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(`${one.demo.baseUrl}/api/v1/security-codes/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': one.demo.liveApiKey },
    body: JSON.stringify(body),
  });
  return (await response.json()) as Record<string, string>;
}

test('the pepper and the sealing key are changed under traffic: every webhook stays signed, and codes that were sent verify', async () => {
  // Live messages wait for this gateway, which does not exist. A later worker submits them, and must read what the old
  // pepper sealed.
  const first = await restartWith({ GATEWAY_URL: 'http://127.0.0.1:1/cgi-bin/sendsms' });
  const oldPepper = (await readFile(join(dataDir, 'security-code-pepper'), 'utf8')).trim();
  const sent = await callCodes(first, 'send', { to: '0911234568' });
  const [{ sealed }] = (await first.query<{ sealed: string }>(
    `select encode(sealed_text, 'base64') as sealed from messages where id = $1`,
    [sent['messageId']],
  )) as [{ sealed: string }];
  const code = /\d{6}/.exec(createTextSealer({ pepper: oldPepper }).unseal(sent['messageId']!, sealed))![0];
  const ids = [await send(first), await send(first)];
  // Until here the pepper has sealed, as a process of 0.1 would. From here on there is no value without a key's id.
  const reseal = (environment: Record<string, string>) =>
    promisify(execFile)(process.execPath, ['src/reseal.ts'], {
      env: { ...process.env, ...environment, DATABASE_URL: service!.demo.databaseUrl },
    });
  await reseal({ SECURITY_CODE_PEPPER: oldPepper, SEALING_KEYS: firstKey });

  const during = {
    ...{ SECURITY_CODE_PEPPER: newPepper, SECURITY_CODE_PREVIOUS_PEPPER: oldPepper },
    SEALING_KEYS: `${secondKey},${firstKey}`,
  };
  const second = await restartWith(during);
  let isResealed = false;
  const resealing = reseal(during).finally(() => (isResealed = true));
  do ids.push(await send(second));
  while (!isResealed);
  await resealing;
  expect(await callCodes(second, 'verify', { verificationId: sent['verificationId'], code })).toMatchObject({
    status: 'verified',
  });

  // The simulator keeps its reports in memory: what it has not reported when it ends stays without a report.
  await until(
    'the reports of all messages',
    async () => (await second.countStatuses(ids))['delivered'] === ids.length,
    120_000,
  );

  const third = await restartWith({ SECURITY_CODE_PEPPER: newPepper, SEALING_KEYS: secondKey });
  ids.push(await send(third));
  await until(
    'the webhooks of all messages',
    () =>
      ids.every((id) =>
        receiver.receivedOf(id).some(({ envelope }) => envelope.event === 'message.delivered'),
      ),
    120_000,
  );
  for (const webhook of receiver.received) expect(isSignedWith(secret, webhook)).toBe(true);
}, 480_000);
