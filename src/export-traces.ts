import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace';
import type { Log } from './log.ts';
import { switchTracingOn } from './tracing.ts';

/** An export, with its repetitions, takes at most this long, and so do all exports when a process stops. */
const exportTimeoutMs = 3000;
/** About two seconds of spans at a thousand messages per second. What does not fit is dropped, never waited for. */
const waitingSpans = 20_000;
/** A dispatch links to each of its rows: `rowsPerDispatch` in src/dispatches/start-dispatches.ts, and reports twice. */
const linksOfSpan = 1200;

/** Exports the spans of this process as OTLP over HTTP, in JSON. `startTracing` loads this file only if it is needed. */
export function exportTraces(options: {
  service: string;
  endpoint: string;
  ratio: number;
  log: Pick<Log, 'warn'>;
}): () => Promise<void> {
  const { service, endpoint, ratio, log } = options;
  // It reads OTEL_EXPORTER_OTLP_HEADERS itself.
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  });
  const provider = new TracerProvider({
    resource: defaultResource().merge(resourceFromAttributes({ 'service.name': service })),
    // A caller that records its own trace has the rest of it recorded too.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanLimits: { linkCountLimit: linksOfSpan },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: logOutages(exporter, log),
        maxQueueSize: waitingSpans,
        scheduledDelayMillis: 1000,
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  switchTracingOn();
  return () => {
    const deadline = new Promise<void>((resolve) => setTimeout(resolve, exportTimeoutMs).unref());
    return Promise.race([provider.shutdown().catch(() => undefined), deadline]);
  };
}

/** Logs when exports begin to fail, and when they succeed again. Spans that cannot be exported are lost. */
function logOutages(exporter: OTLPTraceExporter, log: Pick<Log, 'warn'>): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !isFailing)
          log.warn({ reason: result.error?.name }, 'traces cannot be exported; their spans are dropped');
        if (!failed && isFailing) log.warn('traces are exported again');
        isFailing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  };
}
