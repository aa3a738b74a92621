import type { Log } from './log.ts';

export interface TracingSettings {
  /** The OTLP/HTTP endpoint without `/v1/traces`; undefined: no traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  /** The share of new traces that is recorded, from 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: number;
}

/**
 * Starts the export of traces, if an endpoint is set. Only then the OpenTelemetry SDK is loaded. Called before the app
 * and the workers are created, because they add what traces them only while tracing is on.
 *
 * @param service the name of the process in traces: `sms-api` or `sms-worker`
 * @returns the function that exports what is left, within seconds, and ends tracing; it never rejects
 */
export async function startTracing(
  service: string,
  settings: TracingSettings,
  log: Pick<Log, 'warn'>,
): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: ratio } = settings;
  if (endpoint === undefined) return () => Promise.resolve();
  const { exportTraces } = await import('./export-traces.ts');
  return exportTraces({ service, endpoint, ratio, log });
}
