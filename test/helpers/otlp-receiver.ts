import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An exported span, with its attributes by name. */
export interface ExportedSpan {
  service: string;
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  attributes: Record<string, unknown>;
  /** The ids of the linked spans. */
  links: string[];
  status: number;
}

export interface OtlpReceiver {
  endpoint: string;
  /** The spans received so far. */
  spans: () => ExportedSpan[];
  /** The values of the header Authorization that exports had so far. */
  authorizations: () => (string | undefined)[];
  /** Everything received so far, as it was sent. */
  raw: () => string;
  stop: () => Promise<void>;
}

type Attribute = { key: string; value: Record<string, unknown> };
type Attributes = Attribute[];
type OtlpBody = {
  resourceSpans: {
    resource: { attributes: Attributes };
    scopeSpans: {
      spans: {
        name: string;
        kind: number;
        traceId: string;
        spanId: string;
        parentSpanId?: string;
        attributes: Attributes;
        links?: { spanId: string }[];
        status?: { code?: number };
      }[];
    }[];
  }[];
};

/** Receives traces as a collector does: OTLP over HTTP, encoded as JSON (opentelemetry.io, "OTLP Specification"). */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const bodies: string[] = [];
  const authorizations = new Set<string | undefined>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const isTraces = request.url === '/v1/traces' && request.headers['content-type'] === 'application/json';
      if (isTraces) bodies.push(body);
      authorizations.add(request.headers.authorization);
      response.writeHead(isTraces ? 200 : 400, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => bodies.flatMap((body) => readSpans(JSON.parse(body) as OtlpBody)),
    authorizations: () => [...authorizations],
    raw: () => bodies.join('\n'),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function readSpans({ resourceSpans }: OtlpBody): ExportedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ name, kind, traceId, spanId, parentSpanId = '', attributes, links = [], status }) => ({
        service: String(readAttributes(resource.attributes)['service.name']),
        ...{ name, kind, traceId, spanId, parentSpanId },
        attributes: readAttributes(attributes),
        links: links.map((link) => link.spanId),
        status: status?.code ?? 0,
      })),
    ),
  );
}

function readAttributes(attributes: Attributes): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
