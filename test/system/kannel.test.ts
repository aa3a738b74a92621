import { freePort } from '../../bench/service.ts';
import { startKannel, type Kannel } from '../../scripts/kannel/start.ts';
import { expectDelivered, promisedIds, startBlackBox, type BlackBox } from '../helpers/black-box.ts';
import { describeWithKannel } from '../helpers/kannel.ts';
import { until } from '../helpers/until.ts';
import {
  isSignedWith,
  startWebhookReceiver,
  type ReceivedWebhook,
  type WebhookReceiver,
} from '../../bench/webhook-receiver.ts';

const webhookSecret = 'webhook-secret-of-a-caller';

describeWithKannel('the whole service with the real Kannel', () => {
  let kannel: Kannel;
  let service: BlackBox;
  let receiver: WebhookReceiver;

  beforeAll(async () => {
    const port = await freePort();
    const gatewayToken = 'gateway-token-of-the-system-tests';
    // Kannel first, for the service is told its address; Kannel learns the service's from each dlr-url.
    kannel = await startKannel({ callbackBaseUrl: `http://127.0.0.1:${port}`, gatewayToken });
    receiver = await startWebhookReceiver();
    service = await startBlackBox({
      PORT: String(port),
      GATEWAY_TOKEN: gatewayToken,
      GATEWAY_URL: kannel.sendsmsUrl,
      GATEWAY_USERNAME: kannel.username,
      GATEWAY_PASSWORD: kannel.password,
    });
  }, 120_000);

  afterAll(async () => {
    await service?.stop();
    await receiver?.stop();
    await kannel?.stop();
  }, 60_000);

  async function send(to: string, text: string, apiKey: string): Promise<string> {
    const webhook = { url: receiver.baseUrl, secret: webhookSecret };
    const [id] = promisedIds([await service.post({ to, text, webhook }, apiKey)]);
    if (id === undefined) throw new Error('The message was not answered 202.');
    return id;
  }

  test.each([
    ['GSM-7', '0911830001', 'Your parcel [A-1001] has arrived: 100% @ gate {7} & more, €5', 1],
    ['Amharic', '0911830002', 'ሰላም፣ እቃዎ ደርሷል', 1],
    [
      'GSM-7 of several segments',
      '0911830003',
      'The quick brown fox jumps over the lazy dog. '.repeat(8).trim(),
      3,
    ],
    ['Amharic of several segments', '0911830004', 'ሰላም ለዓለም፣ '.repeat(10).trim(), 2],
  ])(
    'a live message in %s reaches the phone as it was written, is reported delivered, and its three webhooks say so',
    async (_name, to, text, segments) => {
      const { liveApiKey, sender, organizationId } = service.demo;
      const id = await send(to, text, liveApiKey);
      const recipient = `+251${to.slice(1)}`;
      await expectDelivered(service, [id], 20_000);

      const onPhone = await until('the phone to have it', async () => {
        const messages = (await kannel.phone.received()).filter((message) => message.to === recipient);
        return messages.length > 0 && messages;
      });
      expect(onPhone).toEqual([{ from: sender, to: recipient, text, segments }]);
      expect(await service.get(id, liveApiKey)).toMatchObject({
        status: 'delivered',
        environment: 'live',
        organizationId,
        segments,
        errorCode: null,
        providerMessageId: expect.any(String),
        sentAt: expect.any(String),
        deliveredAt: expect.any(String),
      });

      // Kannel sends its two reports at once over two connections: their order is not certain.
      const reports = await until('both reports to be on the timeline', async () => {
        const events = (await service.timeline([id])).filter(({ kind }) => kind === 'report_received');
        return (
          events.length >= 2 &&
          events.map(({ details }) => `${String(details['value'])} from ${String(details['smscId'])}`)
        );
      });
      expect(reports.toSorted()).toEqual(['1 from phone', '8 from phone']);

      await until('the third webhook', () => receiver.receivedOf(id).length >= 3);
      const webhooks = receiver.receivedOf(id);
      expect(webhooks.map(({ envelope }) => envelope.event)).toEqual([
        'message.accepted',
        'message.sent',
        'message.delivered',
      ]);
      expect(webhooks.every((webhook) => isSignedWith(webhookSecret, webhook))).toBe(true);
    },
    40_000,
  );

  test('a number Kannel has no route to fails for good, once, be it by the refusal or by the report of the same', async () => {
    const id = await send('+979123456789', 'Hello', service.demo.liveApiKey);
    await until('both the answer and the report to be on the timeline', async () => {
      const timeline = await service.timeline([id]);
      const isAnswered = timeline.some(({ kind }) => kind === 'submission_answered');
      return isAnswered && timeline.some(({ details }) => details['value'] === '16');
    });
    const { status, errorCode } = await service.get(id, service.demo.liveApiKey);
    // Kannel sends the report at once: which of the two is first is not certain, and the first decides.
    expect(['not_routable', 'smsc_rejected']).toContain(errorCode);
    expect(status).toBe('failed');
    const isFailure = ({ envelope }: ReceivedWebhook): boolean => envelope.event === 'message.failed';
    await until('the webhook of the failure', () => receiver.receivedOf(id).some(isFailure));
    expect(
      receiver
        .receivedOf(id)
        .filter(isFailure)
        .map(({ envelope }) => envelope.data['errorCode']),
    ).toEqual([errorCode]);
  }, 30_000);

  test('a message of a test key never reaches Kannel', async () => {
    const id = await send('0911830009', 'Hello', service.demo.testApiKey);
    await expectDelivered(service, [id], 20_000);
    expect(await service.countSubmissions(id)).toBe(1);
    // What is sent to the phone after it has come: so would it have.
    const later = await send('0911830010', 'Hello', service.demo.liveApiKey);
    await expectDelivered(service, [later], 20_000);
    const onPhone = await until('the later one to be on the phone', async () => {
      const numbers = (await kannel.phone.received()).map(({ to }) => to);
      return numbers.includes('+251911830010') && numbers;
    });
    expect(onPhone).not.toContain('+251911830009');
  }, 30_000);

  // Answers of several endpoints; openapi.yaml, not a type, says what they are.
  // oxlint-disable-next-line typescript/no-explicit-any
  async function call(method: string, path: string, json?: object, token?: string): Promise<any> {
    const { baseUrl, liveApiKey } = service.demo;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(token ? { Authorization: `Bearer ${token}` } : { 'X-API-Key': liveApiKey }),
      },
      ...(json && { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return JSON.parse(text);
  }

  test('a phone asks by keyword and is answered, opts out by STOP, is left out of the next batch, and opts in by START', async () => {
    const [code, phone] = ['8080', '+251911830020'];
    const { organizationId, adminEmail: email, adminPassword: password } = service.demo;
    const wanted = { value: code, useCase: 'Answers of the tests.', sampleMessage: 'Hello' };
    const { id: senderId } = await call('POST', '/api/v1/sender-ids', wanted);
    const { token } = await call('POST', '/api/auth/sign-in/email', { email, password }, 'nobody');
    await call(
      'PATCH',
      `/api/v1/admin/sender-ids/${senderId}/review`,
      { action: 'approve' },
      token as string,
    );
    await call('POST', '/api/v1/inbound/keywords', {
      keyword: 'ዋጋ',
      matchType: 'starts_with',
      response: 'ዋጋው 100 ብር ነው',
    });
    const phonebook = { organizationId, name: 'One phone' };
    const { id: contactListId } = await call('POST', '/api/v1/contact-lists', phonebook);
    const contact = { organizationId, phoneNumber: phone };
    const { id: contactId } = await call('POST', '/api/v1/contacts', contact);
    const members = { organizationId, contactIds: [contactId] };
    await call('PUT', `/api/v1/contact-lists/${contactListId as string}/members`, members);
    const campaign = { organizationId, name: 'Kannel', sender: code };
    const { id: campaignId } = await call('POST', '/api/v1/campaigns', campaign);

    const got = async (): Promise<string[]> =>
      (await kannel.phone.received())
        .filter(({ to }) => to === phone)
        .map(({ from, text }) => `${from}: ${text}`);
    const untilGot = (texts: number) =>
      until(
        `${texts} texts on the phone`,
        async () => (await got()).length >= texts && (await got()),
        20_000,
      );
    const ends = async (text: string, count = 1): Promise<Record<string, unknown>> =>
      until(
        `what came of ${text}`,
        async () => {
          const { data } = await call('GET', '/api/v1/inbound/messages');
          const found = (data as Record<string, unknown>[]).filter((one) => one['text'] === text);
          const open = found.filter(({ status }) => status === 'received' || status === 'processing');
          return found.length === count && open.length === 0 && found[0];
        },
        20_000,
      );
    const sendBatch = async (): Promise<Record<string, unknown>> => {
      const { id } = await call('POST', '/api/v1/bulk-sms', { campaignId, contactListId, text: 'An offer' });
      await until(
        'the batch to be completed',
        async () => (await call('GET', `/api/v1/bulk-sms/${id as string}`)).status === 'completed',
        60_000,
      );
      const { data } = await call('GET', `/api/v1/bulk-sms/${id as string}/messages`);
      return (data as Record<string, unknown>[])[0]!;
    };

    await kannel.phone.send(phone, code, 'ዋጋ ስንት ነው?');
    expect(await untilGot(1)).toEqual([`${code}: ዋጋው 100 ብር ነው`]);
    expect(await ends('ዋጋ ስንት ነው?')).toMatchObject({
      from: phone,
      to: code,
      matched: 'keyword',
      smscId: 'phone-outgoing',
    });

    await kannel.phone.send(phone, code, 'STOP');
    expect((await untilGot(2))[1]).toContain('unsubscribed');
    await kannel.phone.send(phone, code, 'STOP');
    expect(await ends('STOP', 2)).toMatchObject({ errorCode: 'already_opted_out', replyMessageId: null });

    expect(await sendBatch()).toMatchObject({ errorCode: 'recipient_opted_out' });

    await kannel.phone.send(phone, code, 'START');
    expect((await untilGot(3))[2]).toContain('again');
    expect(await sendBatch()).toMatchObject({ errorCode: null });
    // All that the phone ever got: neither the first batch, nor a second confirmation, nor what the callbacks answered.
    expect((await untilGot(4)).slice(3)).toEqual([`${code}: An offer`]);
  }, 180_000);
});
