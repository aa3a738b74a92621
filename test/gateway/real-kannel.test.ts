import { startKannel } from '../../scripts/kannel/start.ts';
import type { Kannel } from '../../scripts/kannel/start.ts';
import { createDeliveryReportUrl, createGateway } from '../../src/gateway/kannel.ts';
import type { Gateway, GatewayOptions, Submission } from '../../src/gateway/kannel.ts';
import { startSimulator } from '../../src/gateway/simulator.ts';
import { describeWithKannel, startCallbackReceiver, until } from '../helpers/kannel.ts';
import type { CallbackReceiver } from '../helpers/kannel.ts';

/** With reserved characters, percent signs and letters that Kannel has escapes for. */
const token = 'tök/en+&=%d%C3';

describeWithKannel('with the real Kannel', () => {
  let receiver: CallbackReceiver;
  let kannel: Kannel;
  let gateway: Gateway;

  beforeAll(async () => {
    receiver = await startCallbackReceiver();
    kannel = await startKannel({ callbackBaseUrl: receiver.baseUrl, gatewayToken: token });
    gateway = openGateway();
  }, 30_000);

  afterAll(async () => {
    await gateway?.close();
    await kannel?.stop();
    await receiver?.stop();
  }, 30_000);

  function openGateway(options: Partial<GatewayOptions> = {}): Gateway {
    return createGateway({
      url: kannel.sendsmsUrl,
      username: kannel.username,
      password: kannel.password,
      deliveryReportUrl: createDeliveryReportUrl({ baseUrl: receiver.baseUrl, token }),
      timeoutMs: 10_000,
      connections: 4,
      ...options,
    });
  }

  const unicode = (units: number) => 'ሰላም ለዓለም፣ '.repeat(units).slice(0, units);

  test.each<[string, Submission['encoding'], string, number]>([
    ['gsm7', 'gsm7', 'Hello @£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞ ÆæßÉ ¡ÄÖÑÜ§¿äöñüà', 1],
    ['gsm7-extension', 'gsm7', '{}[]~^|\\€ 100% %d %C3 a+b&c=d;"e\'', 1],
    ['gsm7-line-breaks', 'gsm7', 'one\ntwo  three\n\nfour', 1],
    ['gsm7-160', 'gsm7', 'x'.repeat(160), 1],
    ['gsm7-161', 'gsm7', 'x'.repeat(161), 2],
    ['gsm7-1600', 'gsm7', 'The quick brown fox. '.repeat(77).slice(0, 1_600), 11],
    ['amharic', 'ucs2', 'ሰላም ዓለም', 1],
    ['emoji', 'ucs2', 'ሰላም 😀 👍🏽', 1],
    ['amharic-70', 'ucs2', unicode(70), 1],
    ['amharic-71', 'ucs2', unicode(71), 2],
    ['amharic-1600', 'ucs2', unicode(1_600), 24],
  ])(
    'the phone gets the text of %s as it was submitted, in as many segments as are billed, and it is reported on',
    async (messageId, encoding, text, segments) => {
      const number = String(251_911_000_000 + receiver.callbacks.length);
      const addresses = { organizationId: 'acme', from: 'Acme & Co', to: `+${number}` };
      const submission = { messageId, ...addresses, text, encoding };
      expect(await gateway.submit(submission)).toEqual({ outcome: 'accepted', queued: false });
      const received = async () => (await kannel.phone.received()).find(({ to }) => to === `+${number}`);
      await until('the phone has the message', async () => (await received()) !== undefined);
      // The text of several lines is put together from several log lines, the last of which may come later.
      await until('the message is whole', async () => (await received())?.text.length === text.length);
      expect(await received()).toEqual({ from: 'Acme & Co', to: `+${number}`, text, segments });

      await until('both reports have come', () => receiver.reportsOn(messageId).length >= 2);
      // Kannel sends the two at once, over two connections: their order is not certain.
      expect(receiver.reportsOn(messageId).toSorted()).toEqual(['1', '8']);
      for (const { query } of receiver.callbacks.filter(
        (callback) => callback.query.get('messageId') === messageId,
      )) {
        expect(query.get('token')).toBe(token);
        expect(query.get('to')).toBe(`+${number}`);
        expect(query.get('smscId')).toBe('phone');
      }
    },
  );

  const submission: Submission = {
    ...{
      messageId: 'm1',
      organizationId: 'acme',
      from: 'Acme',
      to: '+251911999999',
      text: 'Hello',
      encoding: 'gsm7',
    },
  };

  test('the longest text there is, 1,600 emoji or 20 KB of a URL, is taken', async () => {
    const addresses = { organizationId: 'acme', from: 'Acme', to: '+251911888888' };
    const longest = { messageId: 'longest', ...addresses, text: '😀'.repeat(1600) };
    expect(await gateway.submit({ ...longest, encoding: 'ucs2' })).toEqual({
      outcome: 'accepted',
      queued: false,
    });
    await until('both reports have come', () => receiver.reportsOn('longest').length >= 2);
    expect(receiver.reportsOn('longest').toSorted()).toEqual(['1', '8']);
  });

  test('a wrong password fails no message for good', async () => {
    const other = openGateway({ password: 'wrong' });
    expect(await other.submit(submission)).toEqual({
      ...{ outcome: 'unavailable', reason: 'gateway_authorization_failed', httpStatus: 403 },
    });
    await other.close();
  });

  test('a wrong path fails no message for good', async () => {
    const other = openGateway({ url: kannel.sendsmsUrl.replace('sendsms', 'sendmms') });
    expect(await other.submit(submission)).toEqual({
      ...{ outcome: 'unavailable', reason: 'gateway_url_unknown', httpStatus: 404 },
    });
    await other.close();
  });

  test('a number no SMSC takes is refused, and Kannel reports on it all the same: 16, of no SMSC', async () => {
    expect(await gateway.submit({ ...submission, messageId: 'unroutable', to: '+979123456789' })).toEqual({
      ...{ outcome: 'refused', errorCode: 'not_routable', detail: 'no_route_to_receiver', httpStatus: 403 },
    });
    await until('the report has come', () => receiver.reportsOn('unroutable').length > 0);
    const report = receiver.callbacks.find(({ query }) => query.get('messageId') === 'unroutable');
    expect(report!.query.get('status')).toBe('16');
    expect(report!.query.get('smscId')).toBe('');
  });

  test('a report that is not taken is repeated until it is', async () => {
    const failing = ({ query }: { query: URLSearchParams }) =>
      query.get('messageId') === 'repeated' && receiver.reportsOn('repeated').length <= 2 ? 503 : 200;
    receiver.answer = failing;
    await gateway.submit({ ...submission, messageId: 'repeated' });
    await until('they came again', () => receiver.reportsOn('repeated').length === 4);
    expect(receiver.reportsOn('repeated').toSorted()).toEqual(['1', '1', '8', '8']);
    receiver.answer = () => 200;
  });

  test.each([
    ['Latin', 'STOP  now'],
    ['Amharic', 'አቁም'],
    ['line breaks', 'one\ntwo'],
    ['reserved characters', '100% a+b&c=d #%C3'],
    ['three segments, which Kannel puts together', 'The quick brown fox jumps. '.repeat(17).trim()],
  ])('what a phone sends comes to the API: %s', async (_name, text) => {
    const messages = () => receiver.callbacks.filter(({ path }) => path === '/api/v1/gateway/mo');
    const before = messages().length;
    await kannel.phone.send('+251911223344', '8080', text);
    await until('it has come', () => messages().length > before);
    const { query } = messages().at(-1)!;
    expect(Object.fromEntries(query)).toEqual({
      ...{ token, from: '+251911223344', to: '8080', text },
      ...{ smscId: 'phone-outgoing', timestamp: expect.stringMatching(/^\d{10}$/) },
      // Kannel's own id: by it a repeated callback is known, and the next message with the same text is not.
      providerMessageId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    });
  });

  test('a message from a phone that is not taken is repeated with its id, and one of the same text has another', async () => {
    const messages = () => receiver.callbacks.filter(({ query }) => query.get('text') === 'repeated');
    const ids = () => messages().map(({ query }) => query.get('providerMessageId'));
    receiver.answer = ({ query }) => (query.get('text') === 'repeated' && ids().length <= 2 ? 503 : 200);
    await kannel.phone.send('+251911223344', '8080', 'repeated');
    await until('it came again', () => ids().length === 3);
    await kannel.phone.send('+251911223344', '8080', 'repeated');
    await until('the second has come', () => ids().length === 4);
    expect(new Set(ids().slice(0, 3)).size).toBe(1);
    expect(new Set(ids()).size).toBe(2);
    receiver.answer = () => 200;
  });

  test('the simulator answers as Kannel does', async () => {
    const log = { info: () => {}, warn: () => {} };
    const credentials = { username: kannel.username, password: kannel.password };
    const simulator = await startSimulator({
      ...{ host: '127.0.0.1', port: 0, callbackBaseUrl: receiver.baseUrl, log, credentials },
    });
    const valid = { ...credentials, from: 'Acme', to: '+251911999999', text: 'Hello', 'dlr-mask': '31' };
    const without = (name: keyof typeof valid) =>
      Object.fromEntries(Object.entries(valid).filter(([key]) => key !== name));
    const headers = {
      ...{ 'X-Kannel-Username': credentials.username, 'X-Kannel-Password': credentials.password },
      ...{ 'X-Kannel-From': 'Acme', 'X-Kannel-To': '+251911999999' },
    };
    const post = (type: string, more: Record<string, string>): RequestInit => ({
      ...{ method: 'POST', body: 'Hello', headers: { 'Content-Type': type, ...more } },
    });
    type Request = [Record<string, string>, RequestInit?];
    const requests: Request[] = [
      [valid],
      [without('username')],
      [without('password')],
      [{ ...valid, password: 'wrong' }],
      [without('to')],
      [{ ...valid, to: '' }],
      [{ ...valid, to: 'letters' }],
      [without('from')],
      [without('text')],
      [{ ...valid, 'dlr-url': 'ftp://127.0.0.1/' }],
      [{ ...valid, 'dlr-url': 'http' }],
      ...['-2', '-1', '66', '67', 'none'].map((mask): Request => [{ ...valid, 'dlr-mask': mask }]),
      ...['-2', '2', '3', 'none'].map((coding): Request => [{ ...valid, coding }]),
      [{ ...valid, charset: 'no-such-charset' }],
      [{}, post('text/plain; charset=UTF-8', headers)],
      [{}, post('text/plain', {})],
      [{}, post('text/plain', { ...headers, 'X-Kannel-To': '' })],
      [{}, post('text/plain', { ...headers, 'X-Kannel-Password': 'wrong' })],
      [valid, post('application/x-www-form-urlencoded', {})],
      [valid, post('application/json', headers)],
    ];
    const ask = async (url: string, [parameters, init]: Request) => {
      const query = new URLSearchParams(parameters).toString();
      const response = await fetch(query ? `${url}?${query}` : url, init);
      return [response.status, response.headers.get('content-type'), await response.text()];
    };
    for (const request of requests) {
      const [real, simulated] = [await ask(kannel.sendsmsUrl, request), await ask(simulator.url, request)];
      expect({ request, answer: simulated }).toEqual({ request, answer: real });
    }
    expect(await ask(`${simulator.url}/other`, [valid])).toEqual(
      await ask(`${kannel.sendsmsUrl}/other`, [valid]),
    );
    await simulator.stop();
  });
});
