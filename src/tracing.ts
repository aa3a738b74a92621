import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanKind,
} from '@opentelemetry/api';
import { toSafeError } from './safe-error.ts';

/** How a span begins. */
export interface SpanOptions {
  kind?: SpanKind;
  /** Ids, names and codes. Never a phone number, a text, a key, a secret or a URL. */
  attributes?: Attributes;
  links?: Link[];
  /**
   * The context of the parent; undefined begins a new trace. The active span is never the parent by itself: the
   * batches of `createBatcher` run in the context of any one of their items.
   */
  parent: Context | undefined;
}

let isOn = false;

/** Called once, by `startTracing`. Without it, nothing in this file does anything. */
export function switchTracingOn(): void {
  isOn = true;
}

export function isTracing(): boolean {
  return isOn;
}

/**
 * Runs work in a span, which ends when the work does. A failure sets only the error's code or name: messages of errors
 * may quote what a caller sent. While tracing is off, the work runs alone.
 *
 * @param work it may add to the span what is known later; the span is undefined while tracing is off
 */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (!isOn) return work(undefined);
  const { kind, attributes, links, parent = ROOT_CONTEXT } = options;
  const span = startSpan(name, { kind, attributes, links }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work, undefined, span);
  } catch (error) {
    const { code, name: errorName } = toSafeError(error);
    span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', code ?? errorName);
    throw error;
  } finally {
    span.end();
  }
}

/** Starts a span that the caller ends. Only while tracing is on. */
export function startSpan(
  name: string,
  { kind, attributes, links }: { [Name in keyof Omit<SpanOptions, 'parent'>]: SpanOptions[Name] | undefined },
  parent: Context,
): Span {
  return trace
    .getTracer('sms-service')
    .startSpan(
      name,
      { ...(kind && { kind }), ...(attributes && { attributes }), ...(links && { links }) },
      parent,
    );
}

/** The active span as a W3C `traceparent`; undefined if there is none, or tracing is off. */
export function activeTraceparent(): string | undefined {
  if (!isOn) return undefined;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent;
}

/** The context that a W3C `traceparent` names; undefined if it is missing or invalid, or tracing is off. */
export function contextOf(traceparent: unknown): Context | undefined {
  if (!isOn || typeof traceparent !== 'string') return undefined;
  const found = propagation.extract(ROOT_CONTEXT, { traceparent });
  return trace.getSpanContext(found) ? found : undefined;
}

/** Links to the spans that these values of `traceparent` name, each once. Invalid and missing ones are left out. */
export function linksTo(traceparents: Iterable<string | undefined>): Link[] {
  if (!isOn) return [];
  return [...new Set(traceparents)].flatMap((traceparent) => {
    const found = contextOf(traceparent);
    const spanContext = found && trace.getSpanContext(found);
    return spanContext ? [{ context: spanContext }] : [];
  });
}
