import { once } from 'node:events';
import { createServer } from 'node:http';
import { startKannel } from '../../scripts/kannel/start.ts';
import { startSimulator } from '../../src/gateway/simulator.ts';
import { createReportRelay, type ReportRelay } from './report-relay.ts';

export const gatewayNames = ['simulator', 'kannel'] as const;
export type GatewayName = (typeof gatewayNames)[number];

/** The gateway as its outside sees it: what it took is known, whatever dies around it. */
export interface Gateway {
  relay: ReportRelay;
  /** How often each message was taken, by its id. */
  taken: Map<string, number>;
  /** How often each message was submitted, whatever the answer, by its id. */
  submitted: Map<string, number>;
  /** The text that the phone received, by the id of its message. */
  texts: Map<string, string>;
  /** The variables with which a worker submits. */
  credentials: Record<string, string>;
  stop: () => Promise<void>;
}

interface GatewayOptions {
  port: number;
  /** The port of the relay, which is the BASE_URL of the service. */
  relayPort: number;
  /** The API processes, to which the relay passes reports. */
  apiPorts: number[];
  gatewayToken: string;
}

type Submissions = Pick<Gateway, 'taken' | 'submitted' | 'texts'>;

/** Starts a gateway, and a relay for its reports, in this process. */
export async function startGateway(name: GatewayName, options: GatewayOptions): Promise<Gateway> {
  const relay = await createReportRelay(options.relayPort, options.apiPorts);
  const submissions: Submissions = { taken: new Map(), submitted: new Map(), texts: new Map() };
  const start = name === 'kannel' ? startObservedKannel : startObservedSimulator;
  const { credentials, stop } = await start(options, submissions);
  return {
    ...{ relay, credentials, ...submissions },
    stop: async () => {
      await stop();
      await relay.stop();
    },
  };
}

type Started = Pick<Gateway, 'credentials' | 'stop'>;

async function startObservedSimulator(
  { port, relayPort }: GatewayOptions,
  submissions: Submissions,
): Promise<Started> {
  const silent = (): void => undefined;
  const simulator = await startSimulator({
    ...{ host: '127.0.0.1', port, callbackBaseUrl: `http://127.0.0.1:${relayPort}` },
    log: { info: silent, warn: silent },
    onSubmission: ({ messageId = '', answer, text }) => {
      count(submissions.submitted, messageId);
      if (answer === 'accepted' || answer === 'cutAfterTaking') noteTaken(submissions, messageId, text);
    },
  });
  return { credentials: {}, stop: () => simulator.stop() };
}

/** A server in front of a real Kannel, which sees each submission and Kannel's answer to it. */
async function startObservedKannel(
  { port, relayPort, gatewayToken }: GatewayOptions,
  submissions: Submissions,
): Promise<Started> {
  const kannel = await startKannel({ callbackBaseUrl: `http://127.0.0.1:${relayPort}`, gatewayToken });
  const server = createServer({ maxHeaderSize: 64 * 1024 }, (request, response) => {
    const parameters = new URLSearchParams(request.url?.split('?')[1]);
    const messageId = URL.parse(parameters.get('dlr-url') ?? '')?.searchParams.get('messageId') ?? '';
    count(submissions.submitted, messageId);
    const url = new URL(request.url ?? '', kannel.sendsmsUrl);
    fetch(url)
      .then(async (answer) => {
        if (answer.status === 202) noteTaken(submissions, messageId, parameters.get('text'));
        response.writeHead(answer.status, { 'content-type': 'text/html' }).end(await answer.text());
      })
      .catch(() => response.destroy());
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    credentials: { GATEWAY_USERNAME: kannel.username, GATEWAY_PASSWORD: kannel.password },
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await kannel.stop();
    },
  };
}

function noteTaken({ taken, texts }: Submissions, messageId: string, text: string | null): void {
  count(taken, messageId);
  texts.set(messageId, text ?? '');
}

function count(counts: Map<string, number>, messageId: string): void {
  counts.set(messageId, (counts.get(messageId) ?? 0) + 1);
}
