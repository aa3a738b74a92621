import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { kannelAnswers, type KannelAnswer } from '../../src/gateway/kannel-answers.ts';

/** What becomes of a submission. It follows from the last digit of the recipient, so that a model can foretell it. */
export type Outcome = 'accepted' | 'refused' | 'unavailable' | 'doubtful';

export function outcomeFor(recipient: string): Outcome {
  return ({ 6: 'refused', 7: 'unavailable', 8: 'doubtful' } as const)[recipient.slice(-1)] ?? 'accepted';
}

const answers: Record<Exclude<Outcome, 'doubtful'>, KannelAnswer> = {
  accepted: kannelAnswers.accepted,
  refused: kannelAnswers.notRoutable,
  unavailable: kannelAnswers.temporalFailure,
};

export interface ScriptedGateway {
  url: string;
  stop: () => void;
}

/** A gateway that speaks Kannel's sendsms and sends no reports. `doubtful` breaks the connection without a response. */
export async function startScriptedGateway(): Promise<ScriptedGateway> {
  const server = createServer((request, response) => {
    const to = new URL(request.url!, 'http://gateway').searchParams.get('to') ?? '';
    const outcome = outcomeFor(to);
    if (outcome === 'doubtful') {
      request.socket.destroy();
      return;
    }
    const { status, body } = answers[outcome];
    response.writeHead(status, { 'Content-Type': 'text/html' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/cgi-bin/sendsms`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
