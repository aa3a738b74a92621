import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { TestApi } from './api.ts';

export interface ReceivedEvent {
  id: string | undefined;
  event: string;
  // Tests read data of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
}

/** A stream of server-sent events, as received by the client so far. */
export interface TestStream {
  response: IncomingMessage;
  /** Everything received, including comments. */
  text: () => string;
  events: () => ReceivedEvent[];
  /** The id that the client would send as Last-Event-ID. */
  lastId: () => string | undefined;
  /** Whether the server has ended or interrupted the stream. */
  ended: () => boolean;
  /** Stops and resumes reading. */
  pause: () => void;
  resume: () => void;
  close: () => void;
}

/** Opens a stream. Throws the status and body of a response that is not a stream. */
export async function openStream(
  api: Pick<TestApi, 'baseUrl'>,
  path: string,
  options: { session: string; lastEventId?: string; method?: string },
): Promise<TestStream> {
  const sent = request(`${api.baseUrl}${path}`, {
    method: options.method ?? 'GET',
    agent: false,
    headers: {
      Authorization: `Bearer ${options.session}`,
      ...(options.lastEventId !== undefined && { 'Last-Event-ID': options.lastEventId }),
    },
  });
  sent.on('error', () => undefined).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: string[] = [];
  let ended = false;
  response.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  response.on('error', () => undefined).on('close', () => (ended = true));
  const text = () => chunks.join('');
  if (response.statusCode !== 200) {
    await once(response, 'close');
    throw new Error(`${response.statusCode} ${text()}`);
  }
  return {
    response,
    text,
    events: () =>
      parse(text()).flatMap(({ event, ...rest }) => (event === undefined ? [] : [{ event, ...rest }])),
    lastId: () => parse(text()).findLast(({ id }) => id !== undefined)?.id,
    ended: () => ended,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    close: () => void response.destroy(),
  };
}

function parse(text: string): { id: string | undefined; event: string | undefined; data: unknown }[] {
  // An event that does not end with an empty line is incomplete.
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((block) => {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
      const data = field('data');
      return {
        id: field('id'),
        event: field('event'),
        data: data === undefined ? undefined : JSON.parse(data),
      };
    });
}
